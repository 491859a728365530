import { Fragment, type ReactNode } from 'react'
import { strings as general } from '#strings/general.ts'
import classes from './facts.module.css'

/** Names and what they stand for, in two columns. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value ?? general.none}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
