import { Fragment, type ReactNode } from 'react'
import { strings as general } from '#strings/general.ts'
import classes from './definition-list.module.css'

/** Names and values in two columns. */
export function DefinitionList({ items }: { items: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.list}>
      {items.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value ?? general.none}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
