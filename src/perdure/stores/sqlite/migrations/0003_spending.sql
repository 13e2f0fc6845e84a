-- What the store's language models were asked each day (UTC), by model: what a daily budget is held against.
create table spending (
  day text not null,
  model text not null,
  calls integer not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  primary key (day, model)
) without rowid;
