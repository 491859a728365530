import { Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { ScoreBadge } from '#web/ui/score.tsx'
import type { CompanyRecord } from '../../company-fields.ts'
import { FIELDS } from '../../company-fields.ts'
import { EditableCompanyField } from '../editable-company-field.tsx'

/** The score, which can be corrected in place. */
export function ScoreField({ company }: { company: CompanyRecord }) {
  const score = company.llm_score_overall
  return (
    <EditableCompanyField
      company={company}
      field={FIELDS.llm_score_overall}
      hideLabel
      display={
        score === null ? (
          <Text span inherit c="dimmed">
            {strings.noScore}
          </Text>
        ) : (
          <ScoreBadge score={score} />
        )
      }
    />
  )
}
