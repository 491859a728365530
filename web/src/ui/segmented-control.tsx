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
 * A choice between a few values, as radio buttons side by side. Mantine's control measures itself when it mounts, which
 * forces a layout of the whole page.
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
      size={size}
      mod={{ 'full-width': fullWidth, 'read-only': readOnly }}
      {...others}
    >
      {data.map((option) => (
        <label
          key={option.value}
          className={classes.control}
          data-active={option.value === value || undefined}
        >
          <input
            type="radio"
            className={classes.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => !readOnly && onChange(option.value)}
          />
          <span className={classes.option}>{option.label}</span>
        </label>
      ))}
    </Box>
  )
}
