import { Box, type BoxProps } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './segmented-control.module.css'

interface SegmentedControlProps<Value extends string> extends BoxProps {
  value: Value
  onChange: (value: Value) => void
  data: readonly { value: Value; label: ReactNode }[]
  readOnly?: boolean
  fullWidth?: boolean
  size?: 'xs' | 'sm'
  'aria-label'?: string
  'aria-labelledby'?: string
}

/**
 * A choice between few values, as radio buttons side by side. Mantine's measures itself when it appears, and the browser
 * must lay out the whole page for that.
 */
export function SegmentedControl<Value extends string>({
  value,
  onChange,
  data,
  readOnly = false,
  fullWidth = false,
  size = 'sm',
  className = '',
  ...others
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <Box
      role="radiogroup"
      className={`${classes.root} ${className}`}
      mod={{ size, 'full-width': fullWidth, 'read-only': readOnly }}
      {...others}
    >
      {data.map((option) => (
        <label key={option.value} className={classes.option}>
          <input
            type="radio"
            className={classes.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => !readOnly && onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </Box>
  )
}
