/** What an engine's bundle leaves behind in its page, for `forms/page.js` and `forms/measure.mjs`. */
interface FormAdapter {
  /** Null or undefined while it is not shown. */
  control(name: string): HTMLInputElement | null | undefined
  toggle(name: string, answer: string): void
  stored(name: string): unknown
  submit(): void
  total?(): string | null | undefined
  errors(): number
}

/** Times in milliseconds; NaN if what is waited for never appears. */
interface FormBench {
  problems: string[]
  controls(): number
  start(bundle: string, controls: number): Promise<number>
  toggle(driver: string, answer: string, field: string): Promise<number>
  submit(errors: number): Promise<number>
  load(share: number): void
}

interface Window {
  adapter: FormAdapter
  bench: FormBench
  meta: import('../../src/contract/generated.ts').Group[]
  relabel(group: number, field: number, label: string): void
  feelUntil(selector: string): Promise<number>
}
