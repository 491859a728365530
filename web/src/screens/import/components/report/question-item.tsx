import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import { countryName } from '#web/format/countries.ts'
import { withoutProtocol } from '#web/format/web-address.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { DECISIONS, type Decisions, decisionOf } from '../../decisions.ts'
import { AnsweredMark } from './answered-mark.tsx'
import classes from './question-item.module.css'
import type { Decision, Question } from './report.ts'

type Candidate = Question['companies'][number]
type Compared = Pick<Question, 'name' | 'website' | 'country' | 'hq_city'>

interface QuestionItemProps {
  question: Question
  /** undefined after the import: then the row says what was decided. */
  decisions: Decisions | undefined
  choose: (decision: Decision) => void
}

/** A row of the file beside the companies that it may be about. */
export function QuestionItem({ question, decisions, choose }: QuestionItemProps) {
  const { row, name, message, companies, decision } = question
  const decided = decisions && decisionOf(decisions, question)
  const isSeen = COMPARED.some((field) => differs(field, question, companies))
  return (
    <Paper withBorder p="sm" component="li" aria-label={strings.questionOf(row, name)}>
      <Group gap="sm" align="flex-end">
        <div className={classes.companies}>
          <Company
            title={strings.rowOfFile(row)}
            company={question}
            others={companies}
            isAnswered={typeof decided === 'string'}
          />
          {companies.map((company, index) => (
            <Company
              key={company.id ?? company.row}
              title={originOf(company)}
              isUpdated={index === 0 && companies.length > 1}
              keepsName={index === 0 && decisions !== undefined && question.kind === 'website'}
              company={company}
              others={[question]}
              id={company.id}
            />
          ))}
        </div>
        <div className={classes.decision}>
          {decisions ? (
            <SegmentedControl<Decision | 'open'>
              size="xs"
              aria-label={strings.decisionFor(row, name)}
              value={decided ?? 'open'}
              onChange={(value) => value !== 'open' && choose(value)}
              data={DECISIONS.map((value) => ({ value, label: strings.decisions[value] }))}
            />
          ) : (
            <Badge>{strings.decided[decision]}</Badge>
          )}
        </div>
      </Group>
      {question.kind === 'name' && !isSeen && (
        <Text size="xs" c="dimmed" mt={4} className="break-anywhere" dir="auto">
          {message}
        </Text>
      )}
    </Paper>
  )
}

const originOf = ({ id, row }: Candidate): string =>
  id !== null ? strings.existing : row !== null ? strings.rowOfFile(row) : strings.newOfFile

const COMPARED = ['website', 'country', 'hq_city'] as const
type ComparedField = (typeof COMPARED)[number]

/** A value in a form that tells companies apart; null if it is not known. */
function comparable(field: ComparedField, company: Compared): string | null {
  const text = company[field] && textOf(field, company[field]).toLowerCase()
  // A code cannot be compared with a name.
  return field === 'country' && company.country?.length === 2 ? null : text
}

const textOf = (field: ComparedField, value: string): string =>
  field === 'website' ? withoutProtocol(value) : field === 'country' ? countryName(value) : value

/** Whether a company has another value than one of the others. */
const differs = (field: ComparedField, company: Compared, others: readonly Compared[]): boolean => {
  const own = comparable(field, company)
  return own !== null && others.some((other) => ![null, own].includes(comparable(field, other)))
}

interface CompanyProps {
  title: string
  company: Compared
  /** The companies that it is compared with. Values that differ stand out. */
  others: readonly Compared[]
  /** Whether it is the one of several that the row may update. */
  isUpdated?: boolean
  /** Whether the row has another name, which an update does not take. */
  keepsName?: boolean
  isAnswered?: boolean
  id?: string | null
}

function Company({
  title,
  company,
  others,
  isUpdated = false,
  keepsName = false,
  isAnswered = false,
  id = null,
}: CompanyProps) {
  const known = COMPARED.filter((field) => [company, ...others].some((one) => one[field] !== null))
  return (
    <Stack gap={2} miw={0}>
      <Text size="xs" c="dimmed">
        {title}
        {isAnswered && <AnsweredMark />}
      </Text>
      {id === null ? (
        <Text size="sm" fw={600} className="break-anywhere" dir="auto">
          {company.name}
        </Text>
      ) : (
        <ScreenLink
          to="/companies/$id"
          params={{ id }}
          target="_blank"
          size="sm"
          fw={600}
          className="break-anywhere"
          dir="auto"
        >
          {company.name}
        </ScreenLink>
      )}
      {known.map((field) => (
        <Text
          key={field}
          size="xs"
          className="break-anywhere"
          dir="auto"
          {...(differs(field, company, others) ? { fw: 600 } : { c: 'dimmed' })}
        >
          {company[field] === null ? strings.noValue[field] : textOf(field, company[field])}
        </Text>
      ))}
      {(isUpdated || keepsName) && (
        <Text size="xs" c="dimmed" fs="italic" className="break-anywhere">
          {[isUpdated && strings.firstIsUpdated, keepsName && strings.nameIsKept].filter(Boolean).join(' ')}
        </Text>
      )}
    </Stack>
  )
}
