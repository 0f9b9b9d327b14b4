import type { ObjectFieldTemplateProps } from '@rjsf/utils'

/** The fields one below the other; the heading above them is drawn by whoever holds them. */
export function ObjectFieldTemplate({ properties }: ObjectFieldTemplateProps) {
  return properties.map((property) => property.content)
}
