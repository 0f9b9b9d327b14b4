import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react'

type Loadable<P> = ComponentType<P> & {
  /** Fetches the code before it is rendered; throws where it cannot be had. */
  preload: () => Promise<void>
}

/**
 * A component whose code is fetched when it is first rendered or preloaded; `fallback` stands in its place until then.
 * It replaces React.lazy: under Suspense, React withholds what follows a fallback until 300 ms after that fallback.
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
        // Whoever tries again fetches again.
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
    // The boundary around it says what failed.
    if (failure) throw failure.error
    return Loaded ? <Loaded {...props} /> : fallback
  }
  return Object.assign(Rendered, { preload })
}
