/** Role ids by name; a test ensures that they equal schemas/roles.json. */
export const ROLE = {
  systemAdministrator: 1,
  advocateManager: 2,
  hub: 3,
  advocate: 4,
  commissionerAdvocate: 5,
  volunteerAdvocate: 6,
  hubManager: 7,
  partner: 8,
  partnerManager: 9,
} as const
