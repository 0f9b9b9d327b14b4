import { type ComponentType, createContext } from 'react'

/** Components of screens of the kind custom, by the name a screen gives; the shell provides them. */
export const CustomContext = createContext<Record<string, ComponentType>>({})
