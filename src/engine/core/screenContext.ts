import { type ComponentType, createContext } from 'react'

/** Renders a screen by its name, for kinds of screen that contain others; provided by the screen around them. */
export const ScreenContext = createContext<ComponentType<{ name: string }>>(() => null)
