import { type ComponentType, createContext } from 'react'

/** Components of custom screens by name, provided by the shell. */
export const CustomContext = createContext<Record<string, ComponentType>>({})
