-- The graph as claims of memories: nothing in it is changed, what an undone operation said is withdrawn.
-- The tables of the first schema were never written to.

drop table entity_vector;
drop table relation;
drop table entity;

create table entity (
  no integer primary key autoincrement,
  partition integer not null,
  id text not null,
  key text not null,
  name text not null,
  type text,
  recorded_at integer not null,
  unique (partition, id),
  unique (partition, key)
);

create table mention (
  no integer primary key autoincrement,
  partition integer not null,
  memory text not null,
  entity text not null,
  name text not null,
  normal text not null,
  message text,
  at integer not null,
  is_dropped integer not null,
  operation text,
  recorded_at integer not null,
  retired_at integer
);
create index mention_memory on mention (partition, memory);
create index mention_entity on mention (partition, entity);
create index mention_normal on mention (partition, normal);
create index mention_operation on mention (partition, operation);

create table claim (
  no integer primary key autoincrement,
  partition integer not null,
  id text not null,
  memory text not null,
  message text,
  quote text not null,
  at integer not null,
  source text not null,
  source_name text not null,
  label text not null,
  destination text,
  destination_name text not null,
  is_ended integer not null,
  effect text not null,
  valid_from integer,
  valid_to integer,
  reason text not null,
  operation text,
  recorded_at integer not null,
  retired_at integer
);
create index claim_id on claim (partition, id);
create index claim_memory on claim (partition, memory);
create index claim_out on claim (partition, source);
create index claim_in on claim (partition, destination);
create index claim_operation on claim (partition, operation);

create table move (
  no integer primary key autoincrement,
  partition integer not null,
  entity text not null,
  name text,
  destination text not null,
  operation text,
  recorded_at integer not null,
  retired_at integer
);
create index move_operation on move (partition, operation);

-- Unit vectors, float16, little endian, of names and of relations' texts.
create table graph_vector (
  no integer primary key autoincrement,
  partition integer not null,
  kind text not null,  -- entity, relation
  id text not null,
  space integer not null,
  vector blob not null,
  unique (partition, kind, id)
);
