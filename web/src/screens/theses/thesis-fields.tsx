import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { strings } from '#strings/theses.ts'
import { WordSelect } from '#web/fields/word-select.tsx'
import { faultsOf, STATUSES, type ThesisText } from './thesis-draft.ts'

interface ThesisFieldsProps {
  text: ThesisText
  change: (changed: Partial<ThesisText>) => void
  /** Whether it was tried to save: what is missing is told from then on. */
  isTried: boolean
  /** A code that another thesis has. */
  takenCode: string | null
}

/** The fields of a thesis, apart from its report. */
export function ThesisFields({ text, change, isTried, takenCode }: ThesisFieldsProps) {
  const faults = faultsOf(text)
  const isTaken = takenCode !== null && text.code.trim() === takenCode
  const codeFault = text.code === '' && !isTried ? undefined : faults.code
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label={strings.code}
          description={strings.codeHint}
          required
          maxLength={64}
          value={text.code}
          onChange={({ currentTarget }) => change({ code: currentTarget.value })}
          error={isTaken ? strings.codeTaken(takenCode) : codeFault}
          spellCheck={false}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <WordSelect
          label={strings.status}
          words={STATUSES}
          value={text.status}
          onChange={(status) => change({ status })}
          newWord={strings.newStatus}
          notAWord={strings.notAWord}
        />
      </SimpleGrid>
      <TextInput
        label={strings.thesisTitle}
        required
        maxLength={500}
        value={text.title}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        error={isTried && faults.title}
        dir="auto"
      />
      <Textarea
        label={strings.summary}
        description={strings.summaryHint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={20_000}
        value={text.summary}
        onChange={({ currentTarget }) => change({ summary: currentTarget.value })}
        dir="auto"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </>
  )
}
