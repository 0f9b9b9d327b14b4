-- kind: expand
-- Administrators and managers share a view with everybody who may open its list: an administrator has no team.

alter table saved_views drop constraint saved_views_shared_check,
  add constraint saved_views_shared_check check (shared in ('team', 'hub', 'all'));
