-- :open is the far end of time; :known_at is just before it where no time was given.  {where} is a compiled filter or 1.

-- name: spaces
-- The embedders whose vectors the store holds, the current one first.
select no, model, dimensions, is_current from space order by is_current desc, no;

-- name: space_size
-- How many vectors are in a space.
select (select count(*) from memory_vector where space = :no) + (select count(*) from message_vector where space = :no);

-- name: insert_space
-- Bind the store to its embedder.
insert into space (model, dimensions, is_current) values (:model, :dimensions, 1);

-- name: retire_spaces
-- No space is current.
update space set is_current = 0;

-- name: return_space
-- A space is current again.
update space set is_current = 1 where no = :no;

-- name: drop_spaces
-- Forget the spaces that are not current.
delete from space where not is_current;

-- name: stale_memory
-- Versions without a vector in a space.
select m.no from memory m left join memory_vector v on v.no = m.no
where m.no > :after and coalesce(v.space, 0) <> :space order by m.no limit :limit;

-- name: stale_message
-- Messages without a vector in a space.
select m.no from message m left join message_vector v on v.no = m.no
where m.no > :after and coalesce(v.space, 0) <> :space order by m.no limit :limit;

-- name: set_memory_vector
-- Put a version into a space, if it is still there.
insert into memory_vector (no, space, vector) select no, :space, :vector from memory where no = :no
on conflict (no) do update set space = excluded.space, vector = excluded.vector;

-- name: set_message_vector
-- Put a message into a space, if it is still there.
insert into message_vector (no, space, vector) select no, :space, :vector from message where no = :no
on conflict (no) do update set space = excluded.space, vector = excluded.vector;

-- name: drop_memory_vector
-- Leave a version without a vector.
delete from memory_vector where no = :no;

-- name: drop_message_vector
-- Leave a message without a vector.
delete from message_vector where no = :no;

-- name: message_place
-- A message's reference and how many terms it has.
select no, length from message where tenant = :tenant and id = :id;

-- name: annotate_message
-- A message's metadata and number of terms.
update message set metadata = :metadata, length = :length where no = :no;

-- name: lengthen_messages
-- The messages of a partition have more terms.
update partition set message_length = message_length + :more where no = :no;

-- name: erase_message_postings
-- Remove the terms of one message.
delete from posting where partition = :partition and kind = 'message' and seq = :seq;

-- name: refresh_partition
-- Let every cache of a partition start anew.
update partition set version = version + 1, erasures = erasures + 1 where no = :no;

-- name: partition
-- One owner's partition.
select no, next_seq, version, erasures, recorded_at, memories, memory_length, messages, message_length
from partition where tenant = :tenant and owner_kind = :kind and owner = :owner;

-- name: partition_by_no
-- A partition by its number.
select no, next_seq, version, erasures, recorded_at, memories, memory_length, messages, message_length
from partition where no = :no;

-- name: partitions_of_tenant
-- Every partition of a tenant, by number.
select no from partition where tenant = :tenant order by no;

-- name: partitions_of_presence
-- The partitions where each of the given agent and run has rows, by number.
select partition from presence where tenant = :tenant
  and ((kind = 'agent' and id = :agent) or (kind = 'run' and id = :run))
group by partition having count(*) = (:agent is not null) + (:run is not null) order by partition;

-- name: insert_partition
-- A new owner's partition.
insert into partition (tenant, owner_kind, owner) values (:tenant, :kind, :owner);

-- name: update_partition
-- What a commit changed of its partition.
update partition set next_seq = :next_seq, version = :version, erasures = :erasures, recorded_at = :recorded_at,
  memories = :memories, memory_length = :memory_length, messages = :messages, message_length = :message_length
where no = :no;

-- name: insert_presence
-- An agent or a run has rows in a partition.
insert or ignore into presence (tenant, kind, id, partition) values (:tenant, :kind, :id, :partition);

-- name: insert_operation
-- A new operation.
insert into operation (tenant, partition, id, verb, user_id, agent_id, run_id, engine, actor, key, payload_hash, arguments,
  status, at, finished_at, warnings, usage)
values (:tenant, :partition, :id, :verb, :user, :agent, :run, :engine, :actor, :key, :payload_hash, :arguments,
  :status, :at, :finished_at, :warnings, :usage);

-- name: update_operation
-- What happened to an operation.
update operation set status = :status, finished_at = :finished_at, warnings = :warnings, usage = :usage
where tenant = :tenant and id = :id;

-- name: operation
-- An operation by id.
select no, tenant, id, verb, user_id, agent_id, run_id, engine, actor, key, payload_hash, arguments, status, at, finished_at,
  warnings, usage,
  (select count(*) from exchange e where e.tenant = o.tenant and e.operation = o.id), undone_by
from operation o where tenant = :tenant and id = :id;

-- name: operation_state
-- What changes of an operation, and its payload hash.
select status, finished_at, warnings, usage, payload_hash from operation where tenant = :tenant and id = :id;

-- name: operation_of_key
-- The operation that used a key.
select id from operation where tenant = :tenant and partition = :partition and key = :key;

-- name: operations
-- A page of operations, newest first, and how many there are.
with seen as materialized (
  select no, id from operation where tenant = :tenant and (:user is null or user_id = :user)
    and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run)
)
select (select count(*) from seen), no, id from (select 1) left join
  (select no, id from seen where :after is null or no < :after order by no desc limit :limit) on true
order by no desc;

-- name: changes
-- The decisions of an operation, in order.
select event, effect, memory, memory_version, previous, previous_version, reason, candidate, model, prompt_hash
from change where tenant = :tenant and operation = :operation order by ordinal;

-- name: insert_change
-- A decision that was carried out.
insert into change (tenant, operation, ordinal, event, effect, memory, memory_version, previous, previous_version, reason,
  candidate, model, prompt_hash, recorded_at)
values (:tenant, :operation, (select coalesce(max(ordinal), -1) + 1 from change where tenant = :tenant
  and operation = :operation), :event, :effect, :memory, :memory_version, :previous, :previous_version, :reason, :candidate,
  :model, :prompt_hash, :recorded_at);

-- name: mark_undone
-- An operation is undone, or in force again.
update operation set undone_by = :by where tenant = :tenant and id = :id;

-- name: withdraw_sources
-- Withdraw the sources that an operation recorded.
update source set retired_at = :at where partition = :partition and operation = :operation and retired_at is null;

-- name: withdraw_links
-- Withdraw the links that an operation recorded.
update link set retired_at = :at where partition = :partition and operation = :operation and retired_at is null;

-- name: restore_sources
-- Record anew the sources that were withdrawn with an operation last.
insert into source (partition, memory, message, quote, at, recorded_at, operation)
select partition, memory, message, quote, at, :at, operation from source s
where partition = :partition and operation = :operation and retired_at = (select max(retired_at) from source
  where partition = :partition and operation = :operation having count(*) = count(retired_at))
order by no;

-- name: restore_links
-- Record anew the links that were withdrawn with an operation last.
insert into link (partition, successor, predecessor, recorded_at, operation)
select partition, successor, predecessor, :at, operation from link l
where partition = :partition and operation = :operation and retired_at = (select max(retired_at) from link
  where partition = :partition and operation = :operation having count(*) = count(retired_at))
order by no;

-- name: touches
-- What operations did to memories, oldest first, changes before links; a link has no event.
with asked as materialized (
  select value as id, (select partition from memory where tenant = :tenant and id = value limit 1) as partition
  from json_each(:ids)
)
select a.id, c.operation, c.recorded_at, 0, o.no, c.ordinal, c.event, c.effect, c.memory, c.memory_version,
  c.previous, c.previous_version, c.reason, c.candidate, c.model, c.prompt_hash
from asked a cross join change c on c.tenant = :tenant and (c.memory = a.id or c.previous = a.id)
join operation o on o.tenant = c.tenant and o.id = c.operation
union all
select a.id, l.operation, l.recorded_at, 1, 0, l.no, null, null, null, null, null, null, null, null, null, null
from asked a cross join link l on l.partition = a.partition and (l.successor = a.id or l.predecessor = a.id)
where l.operation is not null
order by 3, 1, 4, 5, 6;

-- name: insert_exchange
-- An exchange of an operation.
insert or ignore into exchange (tenant, operation, number, partition, user_id, agent_id, run_id, is_done)
values (:tenant, :operation, :number, :partition, :user, :agent, :run, :is_done);

-- name: exchange
-- Whether an exchange is done.
select is_done from exchange where tenant = :tenant and operation = :operation and number = :number;

-- name: finish_exchange
-- Mark an exchange done.
update exchange set is_done = 1 where tenant = :tenant and operation = :operation and number = :number;

-- name: exchanges
-- The exchanges of an operation, in order.
select number, is_done from exchange where tenant = :tenant and operation = :operation order by number;

-- name: count_exchanges
-- How many exchanges of one whole scope tuple are done.
select count(*) from exchange where partition = :partition and user_id is :user and agent_id is :agent and run_id is :run
  and is_done = 1;

-- name: insert_message
-- A message.
insert into message (no, tenant, partition, id, external_id, role, name, content, at, origin, user_id, agent_id, run_id,
  metadata, recorded_at, operation, exchange, length)
values (:no, :tenant, :partition, :id, :external_id, :role, :name, :content, :at, :origin, :user, :agent, :run, :metadata,
  :recorded_at, :operation, :exchange, :length);

-- name: insert_message_vector
-- A message's vector.
insert into message_vector (no, space, vector) values (:no, :space, :vector);

-- name: insert_memory_vector
-- A version's vector.
insert into memory_vector (no, space, vector) values (:no, :space, :vector);

-- name: insert_posting
-- A term of a row.
insert into posting (partition, kind, term, seq, tf) values (:partition, :kind, :term, :seq, :tf);

-- name: message_of_external
-- What a partition holds under an external id.
select role, name, content, at from message where partition = :partition and external_id = :external_id;

-- name: message_by_id
-- A message by perdure's own id.
select no from message where tenant = :tenant and id = :id and (:user is null or user_id = :user)
  and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run);

-- name: messages_by_external
-- A message by the caller's id, in the partitions of a scope; two if it is in several.
select m.no from json_each(:partitions) p cross join message m on m.partition = p.value and m.external_id = :id
where (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
  and (:run is null or m.run_id = :run)
order by m.no limit 2;

-- name: messages_by_no
-- Messages by reference, in the order asked for.
select m.no, m.id, m.external_id, m.role, m.name, m.content, m.at, m.origin, m.user_id, m.agent_id, m.run_id, m.metadata
from json_each(:refs) r cross join message m on m.no = r.value order by r.key;

-- name: outdated
-- The messages, of those asked for, whose memories all ended, expired or were retracted.
select m.no
from json_each(:refs) r
cross join message m on m.no = r.value
cross join source s on s.partition = m.partition and s.message = m.id and s.retired_at is null
group by m.no
having not max(exists (
  select 1 from memory v
  where v.tenant = m.tenant and v.id = s.memory and v.retired_at is null
    and (v.valid_to is null or v.valid_to > max(:at, coalesce(v.valid_from, :at))) and (v.expires_at is null or v.expires_at > :at)
));

-- name: messages_of_exchange
-- The messages of an exchange, in order.
select no from message where tenant = :tenant and operation = :operation and exchange = :exchange order by no;

-- name: messages
-- A page of a scope's messages by partition and order, and how many there are; :last keeps the newest.
with seen as materialized (
  select m.no, m.recorded_at from json_each(:partitions) p
  cross join message m on m.no between (p.value << 24) and (p.value << 24 | 16777215)
  where (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
    and (:run is null or m.run_id = :run)
), kept as materialized (select no from seen order by recorded_at desc, no desc limit :last)
select (select count(*) from kept), no from (select 1) left join
  (select no from kept where no > :after order by no limit :limit) on true
order by no;

-- name: window
-- The last messages of one whole scope tuple before an order, newest first.
select no from message where partition = :partition and user_id is :user and agent_id is :agent and run_id is :run
  and no < :before
order by no desc limit :size;

-- name: insert_memory
-- A version.
insert into memory (no, tenant, partition, id, version, partition_version, operation, user_id, agent_id, run_id, text, kind,
  metadata, categories, entities, attributed_to, origin, event_from, event_to, time_precision, valid_from, valid_to,
  recorded_at, expires_at, created_at, length)
values (:no, :tenant, :partition, :id, :version, :partition_version, :operation, :user, :agent, :run, :text, :kind, :metadata,
  :categories, :entities, :attributed_to, :origin, :event_from, :event_to, :time_precision, :valid_from, :valid_to,
  :recorded_at, :expires_at, :created_at, :length);

-- name: last_version
-- The last version of a memory of this partition: what a commit builds on.
select no, version, retired_at is null, created_at, length from memory
where tenant = :tenant and id = :id and partition = :partition order by version desc limit 1;

-- name: close_memory
-- Close a version.
update memory set retired_at = :retired_at where no = :no;

-- name: memories_lately
-- A partition's versions, newest first: what was recorded since, and whether it is current.
select no, partition_version, retired_at is null from memory
where no between (:partition << 24) and (:partition << 24 | 16777215) order by no desc;

-- name: vectors_by_no
-- The vectors of versions in one space.
select no, vector from memory_vector where space = :space and no in (select value from json_each(:refs));

-- name: insert_source
-- A source of a memory.
insert into source (partition, memory, message, quote, at, recorded_at, operation)
values (:partition, :memory, :message, :quote, :at, :recorded_at, :operation);

-- name: insert_link
-- A memory supersedes another.
insert into link (partition, successor, predecessor, recorded_at, operation)
values (:partition, :successor, :predecessor, :recorded_at, :operation);

-- name: versions_of
-- Every version of a memory, oldest first, with its times.
select no, recorded_at, retired_at, valid_from, valid_to from memory where tenant = :tenant and id = :id order by version;

-- name: memories_by_no
-- Versions by reference, in the order asked for, with what was known of them at :known_at and before their successor.
-- A version that is held has no successor, which its search is spared.
select m.no, m.id, m.text, m.version, m.user_id, m.agent_id, m.run_id, m.kind, m.metadata, m.categories, m.attributed_to,
  m.origin, m.event_from, m.event_to, m.time_precision, m.valid_from, m.valid_to, m.recorded_at,
  iif(m.retired_at <= :known_at, m.retired_at, null), m.expires_at, m.created_at, m.entities,
  (select json_group_array(json_array(coalesce(g.external_id, s.message), s.quote, s.at) order by s.at, s.no)
    from source s left join message g on g.tenant = m.tenant and g.id = s.message
    where s.partition = m.partition and s.memory = m.id and s.recorded_at <= :known_at
      and coalesce(s.retired_at, :open) > min(:known_at, coalesce(m.retired_at, :open) - 1)
      and s.recorded_at < coalesce(n.recorded_at, :open)),
  (select json_group_array(l.predecessor order by l.no) from link l
    where l.partition = m.partition and l.successor = m.id and l.recorded_at <= :known_at
      and coalesce(l.retired_at, :open) > min(:known_at, coalesce(m.retired_at, :open) - 1)
      and l.recorded_at < coalesce(n.recorded_at, :open)),
  (select l.successor from link l
    where l.partition = m.partition and l.predecessor = m.id and l.recorded_at <= :known_at
      and coalesce(l.retired_at, :open) > min(:known_at, coalesce(m.retired_at, :open) - 1)
      and l.recorded_at < coalesce(n.recorded_at, :open)
    order by l.no desc limit 1)
from json_each(:refs) r cross join memory m on m.no = r.value
left join memory n on n.tenant = iif(m.retired_at is null, null, m.tenant) and n.id = m.id and n.version = m.version + 1
order by r.key;

-- name: memories
-- A page of the versions that a selection sees, and how many there are; :sign turns the order.
with seen as materialized (
  select m.no, m.id, :sign * iif(:by_validity, coalesce(m.valid_from, -:open), m.recorded_at) as place
  from json_each(:partitions) p cross join memory m on m.no between (p.value << 24) and (p.value << 24 | 16777215)
  where (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
    and (:run is null or m.run_id = :run)
    and m.recorded_at <= :known_at and coalesce(m.retired_at, :open) > :known_at
    and coalesce(m.expires_at, :open) > :at
    and (not :is_dated or coalesce(m.valid_from, -:open) <= :at)
    and (:validity = 'all'
      or (coalesce(m.valid_to, :open) > max(:at, coalesce(m.valid_from, :at))) = (:validity = 'current'))
    and {where}
)
select (select count(*) from seen), no, place, id from (select 1) left join
  (select no, place, id from seen where :after is null or (place, id) > (:after, :after_id)
    order by place, id limit :limit) on true
order by place, id;

-- name: expired
-- The last versions of a tenant's memories that expired before a time.
select m.no from memory m where m.tenant = :tenant and m.expires_at < :before
  and not exists (select 1 from memory n where n.tenant = m.tenant and n.id = m.id and n.version = m.version + 1)
order by m.no;

-- name: memories_where
-- The versions of a partition that pass a filter.
select m.no from memory m where m.no between (:partition << 24) and (:partition << 24 | 16777215) and {where};

-- name: messages_where
-- The messages of a partition that pass a filter.
select m.no from message m where m.no between (:partition << 24) and (:partition << 24 | 16777215) and {where};

-- name: shelf_memory
-- What the cache holds of a partition's versions beyond a reference.
select m.no & 16777215, m.recorded_at, coalesce(m.retired_at, :open), coalesce(m.valid_from, -:open),
  coalesce(m.valid_to, :open), coalesce(m.expires_at, :open), m.length, m.user_id, m.agent_id, m.run_id, v.space,
  v.vector
from memory m left join memory_vector v on v.no = m.no
where m.no > :after and m.no <= (:partition << 24 | 16777215) order by m.no;

-- name: shelf_message
-- What the cache holds of a partition's messages beyond a reference.
select m.no & 16777215, m.recorded_at, :open, -:open, :open, :open, m.length, m.user_id, m.agent_id, m.run_id, v.space,
  v.vector
from message m left join message_vector v on v.no = m.no
where m.no > :after and m.no <= (:partition << 24 | 16777215) order by m.no;

-- name: closed_since
-- The versions of a partition that were closed since.
select no & 16777215, retired_at from memory where partition = :partition and retired_at > :since;

-- name: postings
-- The rows of each of some terms beyond a seq of its own, with the term's place; unordered, which spares a sort.
select a.key, p.seq, p.tf from json_each(:asked) a
cross join posting p on p.partition = :partition and p.kind = :kind and p.term = a.value ->> 0 and p.seq > a.value ->> 1;

-- name: versions_to_erase
-- The versions of a memory.
select no, retired_at is null, length from memory where tenant = :tenant and id = :id and partition = :partition;

-- name: erasable_versions
-- A partition's versions as an erasure looks at them, those of a memory in order.
select no, id, recorded_at, operation, retired_at is null, user_id, agent_id, run_id from memory
where no between (:partition << 24) and (:partition << 24 | 16777215) order by no;

-- name: erasable_messages
-- A partition's messages as an erasure looks at them.
select no, id, at, operation, exchange, user_id, agent_id, run_id from message
where no between (:partition << 24) and (:partition << 24 | 16777215) order by no;

-- name: erasable_sources
-- A partition's sources as an erasure looks at them.
select no, memory, message, at, recorded_at from source where partition = :partition order by no;

-- name: erase_postings
-- Remove the terms of rows: one pass over a partition's terms.
delete from posting where partition = :partition and kind = :kind and seq in (select value & 16777215 from json_each(:refs));

-- name: erase_all_postings
-- Remove the terms of a partition that keeps no row: a run of pages, not a search.
delete from posting where partition = :partition;

-- name: erase_memory_vectors
-- Remove the vectors of versions.
delete from memory_vector where no in (select value from json_each(:refs));

-- name: erase_message_vectors
-- Remove the vectors of messages.
delete from message_vector where no in (select value from json_each(:refs));

-- name: erase_versions
-- Remove versions.
delete from memory where no in (select value from json_each(:refs));

-- name: erase_messages
-- Remove messages.
delete from message where no in (select value from json_each(:refs));

-- name: erase_sources
-- Remove sources: by number, and all of some memories.
delete from source where partition = :partition
  and (no in (select value from json_each(:sources)) or memory in (select value from json_each(:memories)));

-- name: erase_links
-- Remove the links of memories.
delete from link where partition = :partition
  and (successor in (select value from json_each(:memories)) or predecessor in (select value from json_each(:memories)));

-- name: reopen
-- Let versions hold again whose successors went.
update memory set retired_at = null where no in (select value from json_each(:refs));

-- name: erase_presence
-- Forget the agents and runs that have no row left in a partition.
delete from presence where tenant = :tenant and partition = :partition and not exists (
    select 1 from message m where m.partition = :partition and iif(presence.kind = 'agent', m.agent_id, m.run_id) = presence.id
  ) and not exists (
    select 1 from memory m where m.no between (:partition << 24) and (:partition << 24 | 16777215)
      and iif(presence.kind = 'agent', m.agent_id, m.run_id) = presence.id
  );

-- name: recount
-- Count a partition anew: current memories, messages, and their lengths.
select (select count(*) from memory where no between (:partition << 24) and (:partition << 24 | 16777215)
    and retired_at is null),
  (select coalesce(sum(length), 0) from memory where no between (:partition << 24) and (:partition << 24 | 16777215)
    and retired_at is null),
  (select count(*) from message where no between (:partition << 24) and (:partition << 24 | 16777215)),
  (select coalesce(sum(length), 0) from message where no between (:partition << 24) and (:partition << 24 | 16777215));

-- name: partition_of_memory
-- The partition that holds a memory.
select partition from memory where tenant = :tenant and id = :id limit 1;

-- name: operations_about
-- The operations whose decisions name one of some memories.
select distinct operation from change where tenant = :tenant
  and (memory in (select value from json_each(:memories)) or previous in (select value from json_each(:memories)));

-- name: operations_within
-- The operations of a scope, erasures left out: they are what stays of an erasure.
select id from operation where tenant = :tenant and verb <> 'erase' and (:user is null or user_id = :user)
  and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run);

-- name: operations_left
-- Of some operations, those that still have messages, or live in a partition that was not looked at.
select o.id from json_each(:operations) r cross join operation o on o.tenant = :tenant and o.id = r.value
where o.verb = 'erase' or o.partition not in (select value from json_each(:partitions))
  or exists (select 1 from message m where m.tenant = :tenant and m.operation = o.id);

-- name: erase_operations
-- Remove operations.
delete from operation where tenant = :tenant and id in (select value from json_each(:operations));

-- name: erase_exchanges
-- Remove the exchanges of operations.
delete from exchange where tenant = :tenant and operation in (select value from json_each(:operations));

-- name: erase_changes
-- Remove the decisions of operations.
delete from change where tenant = :tenant and operation in (select value from json_each(:operations));

-- name: erase_broken_exchanges
-- Remove the exchanges of operations that have no message left, or that are not done and lost one.
delete from exchange where tenant = :tenant and operation in (select value from json_each(:operations))
  and (not exists (select 1 from message m where m.tenant = :tenant and m.operation = exchange.operation
      and m.exchange = exchange.number)
    or (is_done = 0 and operation || '/' || number in (select value from json_each(:broken))));

-- name: undo_exchange
-- Mark an exchange as not done.
update exchange set is_done = 0 where tenant = :tenant and operation = :operation and number = :number;

-- name: set_pending
-- Mark an operation as not finished.
update operation set status = 'pending', finished_at = null where tenant = :tenant and id = :operation;

-- name: blank_changes
-- Remove what decisions say, of whole operations.
update change set reason = '', candidate = '' where tenant = :tenant
  and operation in (select value from json_each(:operations));

-- name: blank_changes_about
-- Remove what decisions say about memories.
update change set reason = '', candidate = '' where tenant = :tenant
  and (memory in (select value from json_each(:memories)) or previous in (select value from json_each(:memories)));

-- name: texts_of_operation
-- What an operation says beside its decisions.
select arguments, warnings from operation where tenant = :tenant and id = :id;

-- name: set_texts
-- Replace what an operation says.
update operation set arguments = :arguments, warnings = :warnings where tenant = :tenant and id = :id;

-- name: erase_jobs
-- Remove the jobs of operations, and of a scope where one is given.
delete from job where tenant = :tenant and (
  json_extract(payload, '$.operation_id') in (select value from json_each(:operations))
  or (:is_whole and json_extract(payload, '$.operation_id') is null
    and coalesce(json_extract(payload, '$.user'), json_extract(payload, '$.agent'), json_extract(payload, '$.run')) is not null
    and (:user is null or json_extract(payload, '$.user') = :user)
    and (:agent is null or json_extract(payload, '$.agent') = :agent)
    and (:run is null or json_extract(payload, '$.run') = :run)));

-- name: blank_job_errors
-- Remove what failed jobs of operations said.
update job set error = 'erased' where tenant = :tenant and error is not null
  and json_extract(payload, '$.operation_id') in (select value from json_each(:operations));

-- name: erase_summary
-- Remove the summary of one whole scope tuple.
delete from summary where tenant = :tenant and user_id = :user and agent_id = :agent and run_id = :run;

-- name: erase_summaries
-- Remove the summaries of a scope.
delete from summary where tenant = :tenant and (:user is null or user_id = :user)
  and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run);

-- name: pending_erasures
-- The erasures whose bytes may still stand in the file.
select tenant, id from operation where verb = 'erase' and status = 'pending' order by no;

-- name: summary
-- The summary of one whole scope tuple.
select text, at, messages from summary where tenant = :tenant and user_id = :user and agent_id = :agent and run_id = :run;

-- name: set_summary
-- Store a summary, unless the one that is stored has read more messages.
insert into summary (tenant, user_id, agent_id, run_id, text, at, messages)
values (:tenant, :user, :agent, :run, :text, :at, :messages)
on conflict do update set text = excluded.text, at = excluded.at, messages = excluded.messages
where excluded.messages >= summary.messages;

-- name: add_job
-- Enqueue a job, unless one of its kind and key waits.
insert into job (tenant, kind, key, payload, status, due_at) values (:tenant, :kind, :key, :payload, 'waiting', :due_at)
on conflict (tenant, kind, key) where status = 'waiting' do nothing;

-- name: lease_job
-- Lease the job that is longest due.
update job set status = 'running', attempts = attempts + 1, leased_until = :until
where no = (select no from job where status in ('waiting', 'running')
  and ((status = 'waiting' and due_at <= :now) or (status = 'running' and leased_until <= :now))
  order by due_at, no limit 1)
returning no, tenant, kind, key, payload, status, attempts, due_at, leased_until, error;

-- name: job
-- A job's state, and whether another of its kind and key waits.
select j.status, exists (select 1 from job w where w.tenant = j.tenant and w.kind = j.kind and w.key = j.key
  and w.status = 'waiting') from job j where j.no = :no;

-- name: finish_job
-- Set what became of a leased job.
update job set status = :status, leased_until = null, error = :error, due_at = coalesce(:due_at, due_at) where no = :no;

-- name: jobs
-- Jobs, oldest first.
select no, tenant, kind, key, payload, status, attempts, due_at, leased_until, error from job
where (:tenant is null or tenant = :tenant) and (not :open_only or status in ('waiting', 'running')) order by no;

-- name: spend
-- Add to what a model took on a day.
insert into spending (day, model, calls, prompt_tokens, completion_tokens)
values (:day, :model, :calls, :prompt_tokens, :completion_tokens)
on conflict (day, model) do update set calls = calls + excluded.calls,
  prompt_tokens = prompt_tokens + excluded.prompt_tokens,
  completion_tokens = completion_tokens + excluded.completion_tokens;

-- name: spent
-- What each model took on a day.
select model, calls, prompt_tokens, completion_tokens from spending where day = :day order by model;

-- name: stats_memories
-- Current, ended (or expired) and retracted memories of a scope.
select
  coalesce(sum(held and live), 0), coalesce(sum(held and not live), 0),
  count(distinct id) - count(distinct iif(held, id, null))
from (
  select m.id, m.retired_at is null as held,
    coalesce(m.valid_to, :open) > max(:now, coalesce(m.valid_from, :now)) and coalesce(m.expires_at, :open) > :now as live
  from json_each(:partitions) p cross join memory m on m.no between (p.value << 24) and (p.value << 24 | 16777215)
  where (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
    and (:run is null or m.run_id = :run)
);

-- name: stats_messages
-- How many messages a scope has.
select count(*) from json_each(:partitions) p
cross join message m on m.no between (p.value << 24) and (p.value << 24 | 16777215)
where (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
  and (:run is null or m.run_id = :run);

-- name: stats_operations
-- How many operations a scope has.
select count(*) from operation where tenant = :tenant and (:user is null or user_id = :user)
  and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run);

-- name: stats_jobs
-- Waiting and dead jobs of a tenant.
select coalesce(sum(status = 'waiting'), 0), coalesce(sum(status = 'dead'), 0) from job where tenant = :tenant;

-- name: stats_size
-- Bytes of the file.
select page_count * page_size from pragma_page_count, pragma_page_size;

-- name: owner_of_partition
-- Whose a partition is.
select owner_kind, owner from partition where no = :no;

-- name: version
-- One version of a memory: where it is and whether it is closed.
select no, partition, retired_at from memory where tenant = :tenant and id = :id and version = :version;

-- name: exported_operations
-- The operations of a scope, oldest first.
select id from operation where tenant = :tenant and (:user is null or user_id = :user)
  and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run) order by no;

-- name: exported_messages
-- A partition's messages of a scope, with what their records leave out; vectors of one space.
select m.no, m.recorded_at, m.operation, m.exchange, v.vector from message m
left join message_vector v on v.no = m.no and v.space = :space
where m.no between (:partition << 24) and (:partition << 24 | 16777215) and (:user is null or m.user_id = :user)
  and (:agent is null or m.agent_id = :agent) and (:run is null or m.run_id = :run) order by m.no;

-- name: exported_memories
-- A partition's versions of a scope, with what their records leave out; vectors of one space.
select m.no, m.operation, v.vector from memory m left join memory_vector v on v.no = m.no and v.space = :space
where m.no between (:partition << 24) and (:partition << 24 | 16777215) and (:user is null or m.user_id = :user)
  and (:agent is null or m.agent_id = :agent) and (:run is null or m.run_id = :run) order by m.no;

-- name: exported_sources
-- A partition's sources of memories of a scope.
select memory, message, quote, at, operation, recorded_at, retired_at from source s where partition = :partition
  and exists (select 1 from memory m where m.tenant = :tenant and m.id = s.memory and (:user is null or m.user_id = :user)
    and (:agent is null or m.agent_id = :agent) and (:run is null or m.run_id = :run)) order by no;

-- name: exported_links
-- A partition's links between memories of a scope.
select successor, predecessor, operation, recorded_at, retired_at from link l where partition = :partition
  and 2 = (select count(distinct m.id) from memory m where m.tenant = :tenant and m.id in (l.successor, l.predecessor)
    and (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
    and (:run is null or m.run_id = :run)) order by no;

-- name: exported_summaries
-- The summaries of a scope.
select user_id, agent_id, run_id, text, at, messages from summary where tenant = :tenant
  and (:user is null or user_id = :user) and (:agent is null or agent_id = :agent) and (:run is null or run_id = :run)
order by user_id, agent_id, run_id;

-- name: import_source
-- A source, unless it is there.
insert into source (partition, memory, message, quote, at, operation, recorded_at, retired_at)
select :partition, :memory, :message, :quote, :at, :operation, :recorded_at, :retired_at where not exists (
  select 1 from source where partition = :partition and memory = :memory and message is :message and quote = :quote
    and at = :at and recorded_at = :recorded_at);

-- name: import_link
-- A link, unless it is there.
insert into link (partition, successor, predecessor, operation, recorded_at, retired_at)
select :partition, :successor, :predecessor, :operation, :recorded_at, :retired_at where not exists (
  select 1 from link where partition = :partition and successor = :successor and predecessor = :predecessor
    and recorded_at = :recorded_at);

-- name: import_job
-- A job, unless one of its kind, key and state is there.
insert into job (tenant, kind, key, payload, status, attempts, due_at, error)
select :tenant, :kind, :key, :payload, :status, :attempts, :due_at, :error where not exists (
  select 1 from job where tenant = :tenant and kind = :kind and key = :key and status = :status);

-- name: any_partition
-- Whether anything was ever written.
select 1 from partition limit 1;

-- name: counts_of_all
-- What a file holds.
select (select count(*) from partition), (select count(*) from operation), (select count(*) from message),
  (select count(distinct tenant || '/' || id) from memory);

-- name: times_of_changes
-- When an operation's decisions were carried out, in order.
select recorded_at from change where tenant = :tenant and operation = :operation order by ordinal;
