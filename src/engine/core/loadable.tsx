import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react'

type Loadable<P> = ComponentType<P> & {
  /** Loads the code before it is rendered; rejects if that fails. */
  preload: () => Promise<void>
}

/**
 * A component whose code is loaded when it is first rendered or preloaded; `fallback` is rendered until then. It
 * replaces React.lazy, because React delays the content after a Suspense fallback by up to 300 ms.
 */
export function loadable<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  fallback: ReactNode = null,
): Loadable<P> {
  let Loaded: ComponentType<P> | undefined
  let loading: Promise<void> | undefined
  const preload = () => {
    loading ??= load().then(
      (module) => {
        Loaded = module.default
      },
      (error: unknown) => {
        // The next attempt loads it again.
        loading = undefined
        throw error
      },
    )
    return loading
  }
  function Rendered(props: P) {
    const [, render] = useReducer((renders: number) => renders + 1, 0)
    const [failure, setFailure] = useState<{ error: unknown }>()
    const isLoaded = Loaded !== undefined
    useEffect(() => {
      if (isLoaded) return
      let isMounted = true
      preload().then(render, (error: unknown) => isMounted && setFailure({ error }))
      return () => {
        isMounted = false
      }
    }, [isLoaded])
    // The error boundary around it shows the error.
    if (failure) throw failure.error
    return Loaded ? <Loaded {...props} /> : fallback
  }
  return Object.assign(Rendered, { preload })
}
