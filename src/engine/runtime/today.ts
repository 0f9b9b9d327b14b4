import { dayOf } from './timeZone.ts'

/** The day it is where the service works, YYYY-MM-DD. */
export function today(): string {
  return dayOf(new Date())
}
