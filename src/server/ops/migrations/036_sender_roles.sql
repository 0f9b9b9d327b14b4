-- kind: expand
-- The role of the sender of a referral's message, as it was when the message was written. It was never stored, so those
-- of existing messages get the present one; those of referrers from outside have none.
-- step: batched referral_messages
update referral_messages m set role = s.groups[1] from staff s
where s.id = m.created_by and m.role is null and m.id between $1 and $2;
