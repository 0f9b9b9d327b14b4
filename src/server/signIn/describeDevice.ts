type Sign = [sign: RegExp, name: string]

/** Browsers by what only they say of themselves; most say 'Chrome' and 'Safari' too, so the order counts. */
const BROWSERS: Sign[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
]
const SYSTEMS: Sign[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** A browser's User-Agent in words ('Firefox on Windows'); what is not known is not guessed. */
export function describeDevice(agent: string | null): string {
  const browser = nameOf(BROWSERS, agent)
  const system = nameOf(SYSTEMS, agent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (system ? `A program on ${system}` : 'Unknown device')
}

function nameOf(signs: Sign[], agent: string | null): string | undefined {
  return signs.find(([sign]) => sign.test(agent ?? ''))?.[1]
}
