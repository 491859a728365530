import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/company.ts'
import type { CompanyRecord } from '../company-fields.ts'
import { FIELDS } from '../company-fields.ts'
import classes from './company.module.css'
import { EditableCompanyField } from './editable-company-field.tsx'

const COLLAPSED_LINES = 6
const COLLAPSE_LENGTH = 250

/** The description. Long texts start collapsed. */
export function Description({ company, opensAtOnce }: { company: CompanyRecord; opensAtOnce: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const text = company.activity_description
  return (
    <div>
      <EditableCompanyField
        company={company}
        field={FIELDS.activity_description}
        opensAtOnce={opensAtOnce}
        format={(value) => truncate(value, 200)}
        display={
          text && (
            <Text
              span
              size="sm"
              lh={1.5}
              className={classes.prose}
              {...(!isWhole && { lineClamp: COLLAPSED_LINES })}
            >
              {text}
            </Text>
          )
        }
      />
      {text && text.length > COLLAPSE_LENGTH && (
        <Button variant="subtle" size="compact-sm" mt={4} ms={-8} onClick={() => setWhole(!isWhole)}>
          {isWhole ? strings.showLess : strings.showAll}
        </Button>
      )}
    </div>
  )
}
