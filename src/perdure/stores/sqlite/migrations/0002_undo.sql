-- Which operation recorded a source or a link, and when each change was carried out: what undo and lineage read.

alter table operation add column undone_by text;  -- the undo that took it back

alter table change add column recorded_at integer;
create index change_memory on change (tenant, memory);
create index change_previous on change (tenant, previous);
update change set recorded_at = coalesce(
  (select recorded_at from memory m where m.tenant = change.tenant and m.id = change.memory
    and m.version = change.memory_version and m.operation = change.operation),
  (select retired_at from memory m where m.tenant = change.tenant and m.id = change.previous
    and m.version = change.previous_version),
  (select at from operation o where o.tenant = change.tenant and o.id = change.operation));

alter table source add column operation text;
alter table link add column operation text;
create index source_operation on source (partition, operation);
create index link_operation on link (partition, operation);
update source set operation = (select m.operation from memory m where m.partition = source.partition
  and m.recorded_at = source.recorded_at limit 1);
update link set operation = (select m.operation from memory m where m.partition = link.partition
  and m.recorded_at = link.recorded_at limit 1);
