-- Times are whole microseconds since 1970, UTC; null is an open end.  Lists and metadata are JSON.
-- A row's `no` is partition << 24 | seq, so that the rows of one partition lie together in every table.

create table meta (
  key text primary key,
  value text not null
) without rowid;

-- The embedder whose vectors the store holds; a second row comes with re-embedding.
create table space (
  no integer primary key,
  model text not null,
  dimensions integer not null,
  is_current integer not null
);

-- One owner's rows.  Counts and lengths are of current memories and of all messages: what BM25 needs.
create table partition (
  no integer primary key,
  tenant text not null,
  owner_kind text not null,
  owner text not null,
  next_seq integer not null default 1,
  version integer not null default 0,
  erasures integer not null default 0,  -- raised when rows vanish: caches start anew
  recorded_at integer,                  -- of the last commit; rises strictly
  memories integer not null default 0,
  memory_length integer not null default 0,
  messages integer not null default 0,
  message_length integer not null default 0,
  unique (tenant, owner_kind, owner)
);

-- In which partitions an agent or a run has rows: a scope without a user spans them.
create table presence (
  tenant text not null,
  kind text not null,
  id text not null,
  partition integer not null,
  primary key (tenant, kind, id, partition)
) without rowid;

create table operation (
  no integer primary key autoincrement,
  tenant text not null,
  partition integer not null,
  id text not null,
  verb text not null,
  user_id text,
  agent_id text,
  run_id text,
  engine text not null,
  actor text,
  key text,
  payload_hash text not null,
  arguments text not null,
  status text not null,
  at integer not null,
  finished_at integer,
  warnings text not null,
  usage text not null,
  unique (tenant, id)
);
create unique index operation_key on operation (tenant, partition, key) where key is not null;
create index operation_scope on operation (tenant, user_id, agent_id, run_id);

create table exchange (
  tenant text not null,
  operation text not null,
  number integer not null,
  partition integer not null,
  user_id text,
  agent_id text,
  run_id text,
  is_done integer not null,
  primary key (tenant, operation, number)
) without rowid;
create index exchange_scope on exchange (partition, user_id, agent_id, run_id, is_done);

-- Decisions as they were carried out.
create table change (
  tenant text not null,
  operation text not null,
  ordinal integer not null,
  event text not null,
  effect text,
  memory text,
  memory_version integer,
  previous text,
  previous_version integer,
  reason text not null,
  candidate text not null,
  model text,
  prompt_hash text,
  primary key (tenant, operation, ordinal)
) without rowid;

create table message (
  no integer primary key,
  tenant text not null,
  partition integer not null,
  id text not null,
  external_id text,
  role text not null,
  name text,
  content text not null,
  at integer not null,
  origin text not null,
  user_id text,
  agent_id text,
  run_id text,
  metadata text not null,
  recorded_at integer not null,
  operation text not null,
  exchange integer not null,
  length integer not null,
  unique (tenant, id)
);
create unique index message_external on message (partition, external_id) where external_id is not null;
create index message_scope on message (partition, user_id, agent_id, run_id);
create index message_exchange on message (tenant, operation, exchange);

-- One row per version; a row changes only when it is closed (retired_at).
create table memory (
  no integer primary key,
  tenant text not null,
  partition integer not null,
  id text not null,
  version integer not null,
  partition_version integer not null,  -- of the commit that recorded it
  operation text not null,
  user_id text,
  agent_id text,
  run_id text,
  text text not null,
  kind text not null,
  metadata text not null,
  categories text not null,
  entities text not null,
  attributed_to text,
  origin text not null,
  event_from integer,
  event_to integer,
  time_precision text,
  valid_from integer,
  valid_to integer,
  recorded_at integer not null,
  retired_at integer,
  expires_at integer,
  created_at integer not null,
  length integer not null,
  unique (tenant, id, version)
);
create index memory_retired on memory (partition, retired_at) where retired_at is not null;

create table source (
  no integer primary key autoincrement,
  partition integer not null,
  memory text not null,
  message text,
  quote text not null,
  at integer not null,
  recorded_at integer not null,
  retired_at integer
);
create index source_memory on source (partition, memory);
create index source_message on source (partition, message) where message is not null;

create table link (
  no integer primary key autoincrement,
  partition integer not null,
  successor text not null,
  predecessor text not null,
  recorded_at integer not null,
  retired_at integer
);
create index link_successor on link (partition, successor);
create index link_predecessor on link (partition, predecessor);

-- Unit vectors, float16, little endian.  Tables with a rowid: without one each row would spill to a page of its own.
create table memory_vector (no integer primary key, space integer not null, vector blob not null);
create table message_vector (no integer primary key, space integer not null, vector blob not null);
create table entity_vector (no integer primary key, space integer not null, vector blob not null);

create table posting (
  partition integer not null,
  kind text not null,  -- memory, message
  term text not null,
  seq integer not null,
  tf integer not null,
  primary key (partition, kind, term, seq)
) without rowid;

-- The graph: nodes and labelled, directed, dated edges.
create table entity (
  no integer primary key,
  partition integer not null,
  id text not null,
  name text not null,
  normal text not null,
  type text,
  recorded_at integer not null,
  retired_at integer
);
create unique index entity_id on entity (partition, id);
create index entity_normal on entity (partition, normal);

create table relation (
  no integer primary key,
  partition integer not null,
  id text not null,
  version integer not null,
  source integer not null,
  label text not null,
  destination integer not null,
  memory text,
  valid_from integer,
  valid_to integer,
  recorded_at integer not null,
  retired_at integer
);
create unique index relation_id on relation (partition, id, version);
create index relation_out on relation (partition, source, valid_to, valid_from, destination);
create index relation_in on relation (partition, destination, valid_to, valid_from, source);

-- The conversation summary of one full scope tuple; an id that is not given is ''.
create table summary (
  tenant text not null,
  user_id text not null,
  agent_id text not null,
  run_id text not null,
  text text not null,
  at integer,
  messages integer not null,
  primary key (tenant, user_id, agent_id, run_id)
) without rowid;

create table job (
  no integer primary key autoincrement,
  tenant text not null,
  kind text not null,
  key text not null,
  payload text not null,
  status text not null,
  attempts integer not null default 0,
  due_at integer not null,
  leased_until integer,
  error text
);
create unique index job_waiting on job (tenant, kind, key) where status = 'waiting';
create index job_due on job (due_at, no) where status in ('waiting', 'running');
