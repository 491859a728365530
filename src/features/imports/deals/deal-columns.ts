import { NewDeal } from '#src/features/deals/index.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import { COLUMN_NAMES, isCompanyName } from '../columns/column-names.ts'
import type { ColumnKind } from '../columns/company-columns.ts'
import { amountName } from '../columns/header-hints.ts'
import { fieldNamedBy, names, recognizeBy, type Vocabulary } from '../columns/vocabulary.ts'

/** The column names that common tools use for each field of deals, best first. */
const VOCABULARY = {
  stage:
    names(`deal stage, stage, pipeline stage, stage name, opportunity stage, funnel stage, list status, Phase, Deal-Phase, Stufe,
    étape, phase de la transaction, etapa, etapa del negocio, etapa do negócio, fase, fase trattativa, fase deal, etap, стадия, этап`),
  status: names('deal status, status, Statut, статус'),
  owner_email:
    names(`owner email, deal owner email, deal owner, owner, owners, opportunity owner, deal lead, lead partner, deal captain,
    assigned to, assignee, responsible, lead owner, relationship owner, record owner, Zuständiger Mitarbeiter,
    Für Deal zuständiger Mitarbeiter, Deal-Inhaber,
    Verantwortlich, propriétaire, propriétaire de la transaction, propietario, propietario del negocio, proprietário,
    proprietário do negócio, proprietario, eigenaar, właściciel, ответственный`),
  amount_eur:
    names(`amount eur, amount, deal amount, deal value, deal size, investment amount, investment size, planned investment, ticket,
    ticket size, check size, cheque size, our investment, our ticket, commitment, opportunity amount, estimated deal value,
    estimated value, proposed investment, Betrag, Deal-Wert,
    Investitionssumme, montant, montant de la transaction, importe, cantidad, valor, valor do negócio, importo, bedrag, kwota,
    сумма`),
  currency: names(
    'currency, deal currency, currency code, deal currency code, Währung, devise, moneda, moeda, valuta, waluta, валюта',
  ),
  round:
    names(`round, funding round, financing round, investment round, current round, round name, round type, Runde,
    Finanzierungsrunde, tour de table, tour, ronda, rodada, раунд`),
  valuation_eur:
    names(`valuation eur, valuation, deal valuation, pre-money valuation, pre-money, premoney valuation, premoney,
    post-money valuation, post-money, postmoney valuation, postmoney, company valuation, Bewertung, valorisation, valoración,
    avaliação, valutazione, waardering, wycena, оценка`),
  ownership_percent:
    names(`ownership percent, ownership, ownership percentage, target ownership, equity, equity stake, stake,
    equity percent, Anteil, Beteiligung, participation, participación, participação, partecipazione`),
  probability:
    names(`probability, deal probability, win probability, close probability, forecast probability, likelihood,
    confidence, Wahrscheinlichkeit, Abschlusswahrscheinlichkeit, probabilité, probabilidad, probabilidade, probabilità`),
  expected_close_on:
    names(`expected close on, expected close date, close date, expected close, closing date, expected closing,
    expected closing date, target close date, estimated close date, Abschlussdatum, date de clôture, date de fermeture,
    fecha de cierre, data de fechamento, data di chiusura, sluitingsdatum, data zamknięcia, дата закрытия`),
  source:
    names(`source, deal source, lead source, source of introduction, source of intro, introduced by, intro by,
    referred by, referrer, referral, referral source, sourced by, sourcing channel, original source, original source type,
    original traffic source, channel, Quelle, Herkunft, provenance, fuente, fuente original, origem, fonte, bron, źródło, источник`),
  source_type: names('source type'),
  source_id: names('source id'),
  lost_reason:
    names(`lost reason, closed lost reason, reason lost, loss reason, deal lost reason, pass reason, reason for passing,
    reason passed, decline reason, rejection reason, Verlustgrund, Grund für Verlust, raison de la perte, motivo de pérdida,
    motivo da perda`),
  notes:
    names(`notes, deal notes, note, deal description, description, comments, comment, deal summary, summary, remarks, memo,
    Notizen, Notiz, Bemerkungen, Beschreibung, commentaires, remarques, notas, comentarios, note interne, opmerkingen, notatki`),
  record_id:
    names(`record id, Datensatz-ID, deal id, opportunity id, affinity row id, list entry id, entry id, row id, airtable id, external id,
    id`),
  deal_name:
    names(`deal name, opportunity name, deal, opportunity, transaction name, name, entry, parent record,
    record, title, Deal-Name,
    nom de la transaction, nombre del negocio, nome do negócio, nome trattativa`),
  company: [
    ...names(`associated company primary, primary associated company, primary company, associated company, associated companies,
      associated company names, assoziiertes Unternehmen, zugeordnetes Unternehmen, organizations, organisations, companies, account`),
    ...COLUMN_NAMES.name.filter((name) => isCompanyName(name)),
  ],
  company_id: names('company id'),
  company_website: [
    ...names(`company website, company domain, company domain name, company domains, associated company domains, organization website,
      organization domain`),
    ...COLUMN_NAMES.website,
  ],
} satisfies Vocabulary<string>

export type DealField = keyof typeof VOCABULARY

const MONEY: readonly (DealField | undefined)[] = ['amount_eur', 'valuation_eur']

/** The name of a column of amounts without its unit, such as "Amount (EUR m)"; other names as they are. */
function withoutUnit(name: string): string {
  if (fieldNamedBy<DealField>(VOCABULARY, name)) return name
  const core = amountName(name)
  return MONEY.includes(fieldNamedBy<DealField>(VOCABULARY, core)?.field) ? core : name
}

/** Whether the name of a column is that of a deal's stage, and not only that of a status. */
export const isStageName = (name: string): boolean =>
  fieldNamedBy<DealField>(VOCABULARY, name)?.field === 'stage'

function recognize(header: readonly string[]): Map<DealField, number[]> {
  const found = recognizeBy<DealField>(VOCABULARY, header.map(withoutUnit))
  const move = (from: DealField, to: DealField) => {
    const indexes = found.get(from)
    if (!indexes || found.has(to)) return
    found.set(to, indexes)
    found.delete(from)
  }
  // Affinity calls the stage "Status".
  move('status', 'stage')
  // A deal without a column for its company has its name.
  move('deal_name', 'company')
  return found
}

const dealError = lazyValidator(NewDeal)

/** The columns of deals. */
export const DEAL_COLUMNS: ColumnKind<DealField> = {
  prefix: 'df',
  fields: Object.keys(VOCABULARY) as DealField[],
  recognize,
  exportColumns: ['id', 'company_id', 'stage', 'stage_entered_at', 'updated_at'],
  formatted: { amount_eur: 'money', valuation_eur: 'money', expected_close_on: 'date' },
  currency: 'currency',
  fieldError: (field, value) => dealError({ company_id: 'x', [field]: value }),
}
