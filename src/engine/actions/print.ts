import { createContext } from 'react'

/** Prints the page; whatever shows only a part of what it has provides a way to print the whole. */
export const PrintContext = createContext(() => window.print())
