import { Fragment } from 'react'

interface BidiTextProps {
  parts: readonly (string | null | undefined)[]
  separator?: string
}

/** Several texts in one line. Each keeps its own direction, so that Arabic beside Latin does not swap places. */
export function BidiText({ parts, separator = ', ' }: BidiTextProps) {
  return parts
    .filter((part) => part)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts may repeat, and the order is fixed
      <Fragment key={index}>
        {index > 0 && separator}
        <bdi>{part}</bdi>
      </Fragment>
    ))
}
