type Pattern = [pattern: RegExp, name: string]

/** Browsers by a distinctive part of their User-Agent. Most also have 'Chrome' and 'Safari', so the order matters. */
const BROWSERS: Pattern[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
]
const SYSTEMS: Pattern[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Describes a User-Agent in words ('Firefox on Windows'), without guessing unknown parts. */
export function describeDevice(agent: string | null): string {
  const browser = nameOf(BROWSERS, agent)
  const system = nameOf(SYSTEMS, agent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (system ? `A program on ${system}` : 'Unknown device')
}

function nameOf(patterns: Pattern[], agent: string | null): string | undefined {
  return patterns.find(([pattern]) => pattern.test(agent ?? ''))?.[1]
}
