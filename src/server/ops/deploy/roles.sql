-- The two roles of the database: `casework_owner` has the tables and migrates, `casework_app` only reads and writes rows.
-- A superuser runs it once, in the new and empty database:
-- OWNER_PASSWORD_FILE=… APP_PASSWORD_FILE=… psql --set=ON_ERROR_STOP=1 --file=roles.sql advocacy
\set owner_password `cat "$OWNER_PASSWORD_FILE"`
\set app_password `cat "$APP_PASSWORD_FILE"`
-- psql goes on without a file that cannot be read, and roles without a password could not sign in.
select $$do 'begin raise exception ''OWNER_PASSWORD_FILE and APP_PASSWORD_FILE must each name a file with a password''; end'$$
  where '' in (:'owner_password', :'app_password') \gexec

create role casework_owner login password :'owner_password';
create role casework_app login password :'app_password';
alter database :"DBNAME" owner to casework_owner;
grant usage on schema public to casework_app;
alter default privileges for role casework_owner in schema public grant select, insert, update, delete on tables to casework_app;
alter default privileges for role casework_owner in schema public grant usage, select, update on sequences to casework_app;
