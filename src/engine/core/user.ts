import { createContext, useContext } from 'react'

/** The signed-in user, from GET /api/staff/me/info; `groups` are role ids. */
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

/** The signed-in user; throws without one. */
export function useUser(): User {
  const user = useContext(UserContext)
  if (!user) throw new Error('No user: wrap this in UserContext')
  return user
}
