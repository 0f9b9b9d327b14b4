import { createContext, useContext } from 'react'

/** The person signed in, as GET /api/staff/me/info tells; `groups` are role ids. */
export interface User {
  id: number
  username: string
  first_name: string
  last_name: string
  groups: number[]
  status: number
  [field: string]: unknown
}

export const UserContext = createContext<User | undefined>(undefined)

/** The person signed in; engine parts are only drawn for one. */
export function useUser(): User {
  const user = useContext(UserContext)
  if (!user) throw new Error('No user: wrap this in UserContext')
  return user
}
