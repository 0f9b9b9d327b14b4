select s.label as service_label, h.label as hub_label, t.label as case_type_label, '/refer/' || f.service as address, f.*
from referral_forms f
left join lookup s on s.kind = 'services' and s.value = f.service
left join lookup h on h.kind = 'hub' and h.value = f.hub
left join case_types t on t.id = f.case_type
