/** Texts of the work itself: notes of actions by the value of their type, and lists to pick from. */
export interface Casework {
  /** `other` is for the types without texts of their own. */
  actions: Record<string, string[]>
  next_steps: string[]
  /** What people plan that is about no client. */
  tasks: string[]
  activities: string[]
  risks: string[]
  communication: string[]
  desired: string[]
  actual: string[]
  /** Of referrals: why, what is asked back, what is answered, and why not. */
  referrals: string[]
  questions: string[]
  replies: string[]
  refusals: string[]
  /** Name and content of text files. */
  documents: [name: string, content: string][]
}
