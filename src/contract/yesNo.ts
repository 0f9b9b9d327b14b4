/** Labels of the values of a yes/no field, in the order in which they are offered. */
export const YES_NO_LABELS: Record<string, string> = {
  yes: 'Yes',
  no: 'No',
  not_known: 'Not known',
}
