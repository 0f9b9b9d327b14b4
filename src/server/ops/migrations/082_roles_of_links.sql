-- kind: expand
-- Which roles the groups of an account at a provider gave its person last, so that an account of theirs at another provider
-- does not take them. Gone with the link; exported; as many as it has rows.
-- step
alter table openid_link add roles integer[] not null default '{}';
