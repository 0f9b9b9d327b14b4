import { createContext } from 'react'

/** False within the page of a record that the person only reads, such as the client of a referral to their hub. */
export const MayChangeContext = createContext(true)
