select value as id, label as name, active as is_offered, searchable(label) as search from lookup where kind = 'hub'
