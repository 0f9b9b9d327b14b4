select value as id, label as name, active as is_offered, searchable(label) as search, search_key(label) as search_key from lookup where kind = 'hub'
