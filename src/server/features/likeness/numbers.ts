import { codeKey, phoneKey } from '../../../contract/compareKey.ts'
import type { Person } from './person.ts'

/** Minimum number of digits of a telephone number by which people are compared. */
const PHONE_DIGITS = 6
const NHS_DIGITS = 10
/** One digit over and over: entered where a number is unknown. Some of them pass the check of NHS numbers. */
const PLACEHOLDER = /^(\d)\1+$/
/** A whole postcode; those of ZZ99 stand for no fixed abode and for other countries. */
const POSTCODE = /^(?!ZZ99)[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/

/** The ten digits of an NHS number; undefined if it is none. */
export function nhsDigits(number: string | null | undefined): string | undefined {
  const digits = (number ?? '').replaceAll(/\D/g, '')
  return digits.length === NHS_DIGITS && !PLACEHOLDER.test(digits) ? digits : undefined
}

/** The keys of the telephone numbers of a person that can tell people apart. */
export function phoneKeys({ phone, mobile }: Person): string[] {
  const keys = [phone, mobile].map((number) => phoneKey(number ?? ''))
  return keys.filter((key) => key.length >= PHONE_DIGITS && !PLACEHOLDER.test(key))
}

/** The key of a whole postcode; undefined if it is none. */
export function postcodeKey(postcode: string | null | undefined): string | undefined {
  const key = codeKey(postcode ?? '')
  return POSTCODE.test(key) ? key : undefined
}
