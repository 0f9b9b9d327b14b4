/** Texts of casework: notes of actions by the value of their type, and lists to pick from. */
export interface Casework {
  /** `other` is for the types without texts of their own. */
  actions: Record<string, string[]>
  next_steps: string[]
  /** Tasks without a client. */
  tasks: string[]
  activities: string[]
  risks: string[]
  communication: string[]
  desired: string[]
  actual: string[]
  /** Texts of referrals: reasons, questions, answers and reasons for rejection. */
  referrals: string[]
  questions: string[]
  replies: string[]
  refusals: string[]
  /** Name and content of text files. */
  documents: [name: string, content: string][]
}
