-- :known_at is just before :open, the far end of time, where no time was given.  {where} is a compiled filter or 1,
-- {which} narrows to what was asked for.

-- name: insert_entity
-- A node, unless the partition has one of this key.
insert into entity (partition, id, key, name, type, recorded_at)
values (:partition, :id, :key, :name, :type, :recorded_at) on conflict do nothing;

-- name: entity_of_key
-- The node of a key.
select id from entity where partition = :partition and key = :key;

-- name: has_entity
-- Whether a node is there.
select 1 from entity where partition = :partition and id = :id;

-- name: insert_mention
-- That a memory names an entity.
insert into mention (partition, memory, entity, name, normal, message, at, is_dropped, operation, recorded_at,
  retired_at)
values (:partition, :memory, :entity, :name, :normal, :message, :at, :is_dropped, :operation, :recorded_at, :retired_at);

-- name: insert_claim
-- That a memory tells of a relation.
insert into claim (partition, id, memory, message, quote, at, source, source_name, label, destination, destination_name,
  is_ended, effect, valid_from, valid_to, reason, operation, recorded_at, retired_at)
values (:partition, :id, :memory, :message, :quote, :at, :source, :source_name, :label, :destination, :destination_name,
  :is_ended, :effect, :valid_from, :valid_to, :reason, :operation, :recorded_at, :retired_at);

-- name: insert_move
-- That one node, or one name of it, is another.
insert into move (partition, entity, name, destination, operation, recorded_at, retired_at)
values (:partition, :entity, :name, :destination, :operation, :recorded_at, :retired_at);

-- name: insert_vector
-- The vector of a name or of a relation's text.
insert into graph_vector (partition, kind, id, space, vector) values (:partition, :kind, :id, :space, :vector)
on conflict (partition, kind, id) do update set space = excluded.space, vector = excluded.vector;

-- name: withdraw_mention
-- Withdraw the mentions that an operation recorded.
update mention set retired_at = :at where partition = :partition and operation = :operation and retired_at is null;

-- name: withdraw_claim
-- Withdraw the claims that an operation recorded.
update claim set retired_at = :at where partition = :partition and operation = :operation and retired_at is null;

-- name: withdraw_move
-- Withdraw the moves that an operation recorded.
update move set retired_at = :at where partition = :partition and operation = :operation and retired_at is null;

-- name: restore_mention
-- Record anew the mentions that were withdrawn with an operation last.
insert into mention (partition, memory, entity, name, normal, message, at, is_dropped, operation, recorded_at, place)
select partition, memory, entity, name, normal, message, at, is_dropped, operation, :at, coalesce(place, no) from mention
where partition = :partition and operation = :operation and retired_at = (select max(retired_at) from mention
  where partition = :partition and operation = :operation having count(*) = count(retired_at))
order by coalesce(place, no);

-- name: restore_claim
-- Record anew the claims that were withdrawn with an operation last.
insert into claim (partition, id, memory, message, quote, at, source, source_name, label, destination, destination_name,
  is_ended, effect, valid_from, valid_to, reason, operation, recorded_at, place)
select partition, id, memory, message, quote, at, source, source_name, label, destination, destination_name,
  is_ended, effect, valid_from, valid_to, reason, operation, :at, coalesce(place, no) from claim
where partition = :partition and operation = :operation and retired_at = (select max(retired_at) from claim
  where partition = :partition and operation = :operation having count(*) = count(retired_at))
order by coalesce(place, no);

-- name: restore_move
-- Record anew the moves that were withdrawn with an operation last.
insert into move (partition, entity, name, destination, operation, recorded_at, place)
select partition, entity, name, destination, operation, :at, coalesce(place, no) from move
where partition = :partition and operation = :operation and retired_at = (select max(retired_at) from move
  where partition = :partition and operation = :operation having count(*) = count(retired_at))
order by coalesce(place, no);

-- name: claims
-- Claims of memories that are held and admitted.  Cross: the claims are few, the tenant's memories are not.
select coalesce(c.place, c.no), c.id, c.memory, c.message, c.quote, c.at, c.source, c.source_name, c.label, c.destination,
  c.destination_name, c.is_ended, c.effect, c.valid_from, c.valid_to, c.reason, c.operation, c.recorded_at,
  coalesce(x.external_id, c.message), m.valid_from, m.valid_to, m.user_id, m.agent_id, m.run_id, m.origin
from claim c
cross join memory m on m.tenant = :tenant and m.id = c.memory
  and m.recorded_at <= :known_at and coalesce(m.retired_at, :open) > :known_at
left join message x on x.tenant = :tenant and x.id = c.message
where {which} and c.recorded_at <= :known_at and coalesce(c.retired_at, :open) > :known_at
  and coalesce(m.expires_at, :open) > :at and (:user is null or m.user_id = :user)
  and (:agent is null or m.agent_id = :agent) and (:run is null or m.run_id = :run) and ({where})
order by coalesce(c.place, c.no);

-- name: entities
-- Nodes with the mentions by memories that are held and admitted; a node without one has a row of nulls.
with admitted as (
  select coalesce(t.place, t.no) as place, t.partition, t.entity, t.memory, t.name, t.message, t.at, t.is_dropped
  from mention t
  cross join memory m on m.tenant = :tenant and m.id = t.memory
    and m.recorded_at <= :known_at and coalesce(m.retired_at, :open) > :known_at
  where {mentioned} and t.recorded_at <= :known_at and coalesce(t.retired_at, :open) > :known_at
    and coalesce(m.expires_at, :open) > :at and (:user is null or m.user_id = :user)
    and (:agent is null or m.agent_id = :agent) and (:run is null or m.run_id = :run) and ({where})
)
select e.id, e.key, e.name, e.type, e.recorded_at, a.memory, a.name, a.message, a.at, a.is_dropped
from entity e left join admitted a on a.partition = e.partition and a.entity = e.id
where {which} and e.recorded_at <= :known_at and (:is_named or a.place is not null)
order by e.no, a.place;

-- name: moves
-- The moves that are held.
select entity, name, destination from move
where partition in (select value from json_each(:partitions))
  and recorded_at <= :known_at and coalesce(retired_at, :open) > :known_at order by coalesce(place, no);

-- name: vectors
-- The vectors of a partition behind a place.
select no, id, vector from graph_vector
where partition = :partition and kind = :kind and space = :space and no > :after order by no;

-- name: vector_marks
-- What tells whether the vectors of a partition are those that were read before.
select p.erasures, coalesce(max(v.no), 0), count(v.no) from partition p
left join graph_vector v on v.partition = p.no and v.kind = :kind and v.space = :space where p.no = :partition;

-- name: drop_old_vectors
-- Forget the vectors of spaces that are gone.
delete from graph_vector where space not in (select no from space);

-- name: erase_claims
-- Remove claims: those of memories that go, said in messages that go, or recorded with a version that goes.
delete from claim where partition = :partition and (
  memory in (select value from json_each(:memories)) or message in (select value from json_each(:messages))
  or (memory, recorded_at) in (select value ->> 0, value ->> 1 from json_each(:tainted))
  or (message is null and at < :before and memory in (select value from json_each(:trimmed))));

-- name: erase_mentions
-- Remove mentions, as claims.
delete from mention where partition = :partition and (
  memory in (select value from json_each(:memories)) or message in (select value from json_each(:messages))
  or (memory, recorded_at) in (select value ->> 0, value ->> 1 from json_each(:tainted))
  or (message is null and at < :before and memory in (select value from json_each(:trimmed))));

-- name: left_names
-- The nodes and their names.
select id, name from entity where partition = :partition order by no;

-- name: left_mentions
-- Which memory calls which node how.
select memory, entity, name from mention where partition = :partition order by coalesce(place, no), no;

-- name: left_claims
-- The claims' ends.
select no, memory, source, source_name, label, destination, destination_name, is_ended from claim
where partition = :partition order by coalesce(place, no), no;

-- name: left_moves
-- The moves, withdrawn ones too.
select no, entity, name, destination from move where partition = :partition order by coalesce(place, no), no;

-- name: erase_endings
-- Remove the ends of relations that nothing claims any more.
delete from claim where partition = :partition and no in (select value from json_each(:endings));

-- name: erase_entities
-- Remove nodes that nothing leads to any more.
delete from entity where partition = :partition and id not in (select value from json_each(:entities));

-- name: erase_moves
-- Remove moves that nothing leads through any more.
delete from move where partition = :partition and no not in (select value from json_each(:moves));

-- name: retell_claim
-- Call the ends of a claim otherwise; why it was made may tell the old names.
update claim set source_name = :source, destination_name = :destination, reason = ''
where partition = :partition and no = :no;

-- name: drop_claim_vector
-- The vector of a text that is gone.
delete from graph_vector where partition = :partition and kind = 'relation'
  and id = (select id from claim where no = :no);

-- name: rename_entity
-- Give a node another name; its key tells nothing of the old one.
update entity set name = :name, key = :key where partition = :partition and id = :id;

-- name: drop_entity_vector
-- The vector of a name that is gone.
delete from graph_vector where partition = :partition and kind = 'entity' and id = :id;

-- name: erase_vectors
-- Remove the vectors of what is gone.
delete from graph_vector where partition = :partition and (
  (kind = 'entity' and not exists (select 1 from entity e where e.partition = :partition and e.id = graph_vector.id))
  or (kind = 'relation' and not exists (select 1 from claim c where c.partition = :partition and c.id = graph_vector.id)));

-- name: exported_entities
-- The nodes of a partition, with their vectors.
select e.id, e.key, e.name, e.type, e.recorded_at, v.vector from entity e
left join graph_vector v on v.partition = e.partition and v.kind = 'entity' and v.id = e.id and v.space = :space
where e.partition = :partition and exists (select 1 from mention t join memory m on m.tenant = :tenant and m.id = t.memory
    where t.partition = :partition and t.entity = e.id and (:user is null or m.user_id = :user)
      and (:agent is null or m.agent_id = :agent) and (:run is null or m.run_id = :run)
  ) or (e.partition = :partition and exists (select 1 from move v where v.partition = :partition and v.destination = e.id))
order by e.no;

-- name: exported_mentions
-- The mentions by memories of a scope.
select t.memory, t.entity, t.name, t.message, t.at, t.is_dropped, t.operation, t.recorded_at, t.retired_at from mention t
where t.partition = :partition and exists (select 1 from memory m where m.tenant = :tenant and m.id = t.memory
    and (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
    and (:run is null or m.run_id = :run))
order by coalesce(t.place, t.no), t.no;

-- name: exported_claims
-- The claims of memories of a scope, with the vectors of their texts.
select c.id, c.memory, c.message, c.quote, c.at, c.source, c.source_name, c.label, c.destination, c.destination_name,
  c.is_ended, c.effect, c.valid_from, c.valid_to, c.reason, c.operation, c.recorded_at, c.retired_at, v.vector
from claim c
left join graph_vector v on v.partition = c.partition and v.kind = 'relation' and v.id = c.id and v.space = :space
where c.partition = :partition and exists (select 1 from memory m where m.tenant = :tenant and m.id = c.memory
    and (:user is null or m.user_id = :user) and (:agent is null or m.agent_id = :agent)
    and (:run is null or m.run_id = :run))
order by coalesce(c.place, c.no), c.no;

-- name: exported_moves
-- The moves of a partition.
select entity, name, destination, operation, recorded_at, retired_at from move where partition = :partition
order by coalesce(place, no), no;

-- name: is_known_mention
-- Whether a mention is there.
select 1 from mention where partition = :partition and memory = :memory and entity = :entity and name = :name
  and recorded_at = :recorded_at;

-- name: is_known_claim
-- Whether a claim is there.
select 1 from claim where partition = :partition and id = :id and recorded_at = :recorded_at;

-- name: is_known_move
-- Whether a move is there.
select 1 from move where partition = :partition and entity = :entity and name is :name and destination = :destination
  and recorded_at = :recorded_at;

-- name: called
-- The nodes that somebody calls by one of some names.
select distinct entity from mention where partition in (select value from json_each(:partitions))
  and normal in (select value from json_each(:names));

-- name: called_from
-- The nodes that somebody calls by a name between two.
select distinct entity from mention where partition in (select value from json_each(:partitions))
  and normal >= :low and normal < :high;

-- name: touching
-- The places of claims with one of some nodes at an end.
select y.no from claim y where y.partition in (select value from json_each(:partitions))
  and y.source in (select value from json_each(:touching))
union
select y.no from claim y where y.partition in (select value from json_each(:partitions))
  and y.destination in (select value from json_each(:touching));

-- name: stale_entity
-- Names without a vector in a space.
select e.no, e.name from entity e left join graph_vector v on v.partition = e.partition and v.kind = 'entity' and v.id = e.id
where e.no > :after and coalesce(v.space, 0) <> :space order by e.no limit :limit;

-- name: stale_relation
-- Claims without a vector in a space.
select c.no, c.source_name, c.label, c.destination_name from claim c
left join graph_vector v on v.partition = c.partition and v.kind = 'relation' and v.id = c.id
where c.no > :after and coalesce(v.space, 0) <> :space order by c.no limit :limit;

-- name: place_of_entity
-- A node's partition and id.
select partition, id from entity where no = :no;

-- name: place_of_relation
-- A claim's partition and id.
select partition, id from claim where no = :no;

-- name: drop_vector
-- The vector of a name or of a relation's text.
delete from graph_vector where partition = :partition and kind = :kind and id = :id;
