-- What is in force again after an undo was taken back keeps its place among what was said of the graph.

alter table mention add column place integer;  -- of the row that it stands for; null: its own
alter table claim add column place integer;
alter table move add column place integer;

update claim set place = (select min(f.no) from claim f where f.partition = claim.partition and f.id = claim.id)
where no > (select min(f.no) from claim f where f.partition = claim.partition and f.id = claim.id);
update move set place = (select min(f.no) from move f where f.partition = move.partition and f.operation = move.operation
  and f.entity = move.entity and f.name is move.name and f.destination = move.destination)
where operation is not null;
