-- kind: expand
-- A publication can let happen what follows once from some automations only: the names of these, or null for all.
-- step
alter table automation_changes add column automations text[];
