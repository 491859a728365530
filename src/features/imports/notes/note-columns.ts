import { COLUMN_NAMES, isCompanyName } from '../columns/column-names.ts'
import type { ColumnKind } from '../columns/company-columns.ts'
import { names, recognizeBy, type Vocabulary } from '../columns/vocabulary.ts'

/** The column names that common tools use for each field of notes, best first. */
const VOCABULARY = {
  body: names(`note body, body, note content, note text, content, content plaintext, content markdown, note, notes, text, message,
    details, comment, comments, description, body preview, call notes, meeting notes, internal meeting notes, call body,
    Notiz, Notizen, Inhalt, contenu, contenido, conteúdo, contenuto, inhoud, treść`),
  title:
    names(`title, note title, subject, activity subject, meeting name, call title, meeting title, email subject, headline, Betreff,
    Titel, sujet, titre, asunto, título, assunto, oggetto, titolo, onderwerp, tytuł`),
  happened_at:
    names(`activity date, happened at, date, note date, meeting date, call date, start time, meeting start time, timestamp,
    date created, created date, create date, created at, created on, created, date time, when, Datum, erstellt am, fecha, data,
    date de création`),
  kind: names(
    `activity type, engagement type, interaction type, note type, kind, type, object type, Art, Typ, tipo`,
  ),
  author:
    names(`author email, author, created by, creator, activity assigned to, activity created by, note owner, owner email, owner,
    assigned to, logged by, user, user email, written by, author name, created by user, Autor, Verfasser, auteur, autore`),
  company: [
    ...names(`associated company, tagged organizations, tagged companies, organizations, companies, account`),
    ...COLUMN_NAMES.name.filter((name) => isCompanyName(name)),
  ],
  company_website: [
    ...names(
      'company domain, company website, company domain name, organization website, organization domain',
    ),
    ...COLUMN_NAMES.website,
  ],
  person_email:
    names(`contact email, associated contact email, person email, email, email address, tagged people emails, participant emails,
    attendee emails`),
  person:
    names(`associated contact, associated contacts, tagged people, tagged persons, contact, contacts, contact name, person, people,
    person name, participants, attendees`),
  deal: names(
    'associated deal, associated deals, deal, deals, deal name, opportunity, opportunity name, opportunities, tagged opportunities',
  ),
  entity: names(
    'tagged entity, tagged entities, entity, parent record, record, parent, about, related to, regarding',
  ),
  about_ids: names('about ids'),
  participant_ids: names('participant ids'),
  mentions: names('mentions'),
  pinned: names('pinned'),
  parent_id: names('parent id'),
  visibility: names('visibility'),
  source: names('source'),
  source_id: names('note id, record id, engagement id, activity id, external id, source id, id'),
} satisfies Vocabulary<string>

export type NoteField = keyof typeof VOCABULARY

/** The columns of notes. */
export const NOTE_COLUMNS: ColumnKind<NoteField> = {
  prefix: 'note',
  fields: Object.keys(VOCABULARY) as NoteField[],
  recognize: (header) => recognizeBy<NoteField>(VOCABULARY, header),
  exportColumns: ['id', 'kind', 'body', 'happened_at', 'about_ids', 'updated_at'],
  formatted: { happened_at: 'date' },
  fieldError: () => undefined,
}
