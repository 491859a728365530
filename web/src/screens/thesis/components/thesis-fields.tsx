import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import {
  MAX_CODE_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_THESIS_TITLE_LENGTH,
  THESIS_STATUSES,
} from '#src/client/limits.ts'
import { strings } from '#strings/theses.ts'
import { WordSelect } from '#web/fields/word-select.tsx'
import { type ThesisText, validateThesis } from '../thesis-draft.ts'

interface ThesisFieldsProps {
  text: ThesisText
  change: (changed: Partial<ThesisText>) => void
  /** Whether the user has tried to save, which marks missing fields. */
  wasSubmitted: boolean
  /** A code that another thesis already uses. */
  duplicateCode: string | null
}

/** The fields of a thesis, except its report. */
export function ThesisFields({ text, change, wasSubmitted, duplicateCode }: ThesisFieldsProps) {
  const errors = validateThesis(text)
  const isDuplicate = duplicateCode !== null && text.code.trim() === duplicateCode
  const codeError = text.code === '' && !wasSubmitted ? undefined : errors.code
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label={strings.code}
          description={strings.codeHint}
          required
          maxLength={MAX_CODE_LENGTH}
          value={text.code}
          onChange={({ currentTarget }) => change({ code: currentTarget.value })}
          error={isDuplicate ? strings.duplicateCode(duplicateCode) : codeError}
          spellCheck={false}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <WordSelect
          label={strings.status}
          words={THESIS_STATUSES}
          value={text.status}
          onChange={(status) => change({ status })}
          newWordLabel={strings.newStatus}
          notAWord={strings.invalidWord}
        />
      </SimpleGrid>
      <TextInput
        label={strings.thesisTitle}
        required
        maxLength={MAX_THESIS_TITLE_LENGTH}
        value={text.title}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        error={wasSubmitted && errors.title}
        dir="auto"
      />
      <Textarea
        label={strings.summary}
        description={strings.summaryHint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={MAX_SUMMARY_LENGTH}
        value={text.summary}
        onChange={({ currentTarget }) => change({ summary: currentTarget.value })}
        dir="auto"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </>
  )
}
