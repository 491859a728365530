import { NewPerson } from '#src/features/people/index.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import { COLUMN_NAMES, isCompanyName } from '../columns/column-names.ts'
import type { ColumnKind } from '../columns/company-columns.ts'
import { names, recognizeBy, type Vocabulary } from '../columns/vocabulary.ts'

const NAMES_OF_COMPANIES = [
  ...names(
    'associated company, organizations, organisations, current company, company organization, account',
  ),
  ...COLUMN_NAMES.name.filter((name) => isCompanyName(name)),
]

/** The column names that common tools use for each field of people, best first. */
const VOCABULARY = {
  first_name:
    names(`first name, given name, forename, firstname, Vorname, Prénom, primer nombre, nombre de pila, primeiro nome,
    voornaam, imię, имя`),
  middle_name: names('middle name, additional name, zweiter Vorname, segundo nombre, отчество'),
  last_name:
    names(`last name, family name, surname, lastname, Nachname, Familienname, nom de famille, apellido, apellidos, sobrenome,
    cognome, achternaam, nazwisko, фамилия`),
  name_prefix: names('name prefix, salutation, Anrede'),
  name_suffix: names('name suffix'),
  name: names(`full name, name, contact name, person, person name, contact, display name, file as, record, vollständiger Name,
    nom complet, nombre completo, nome completo, volledige naam, imię i nazwisko, фио, nom, nombre, nome, naam, nazwa, имя и фамилия`),
  emails: [
    ...names(`email, email address, primary email, primary email address, work email, business email, email addresses, emails,
    additional emails, additional email addresses, other emails, personal email, home email, email work, contact email, mail,
    E-Mail-Adresse, adresse e-mail, courriel, correo electrónico, correo, endereço de e-mail, indirizzo email, e-mailadres,
    adres e-mail, электронная почта`),
    /^e ?mail( address)? \d+( address| value)?$/,
    /^e ?mail( addresses?)?$/,
  ],
  phones: [
    ...names(`phone number, phone, phones, phone numbers, mobile phone number, mobile phone, mobile number, mobile, cell phone,
    cell, telephone, telephone number, tel, work phone, direct phone, business phone, office phone, home phone, contact phone,
    other phone, WhatsApp phone number, whatsapp phone number, Telefon, Telefonnummer, Mobiltelefon, Mobil, Handy, téléphone, portable, teléfono, móvil,
    telefone, celular, telefono, cellulare, telefoon, numer telefonu, телефон`),
    /^(?:phone|telephone|mobile)( number)? \d+( value)?$/,
  ],
  links: [
    ...names(`LinkedIn URL, LinkedIn, LinkedIn profile, LinkedIn profile URL, LinkedIn Bio, Person LinkedIn URL, linkedin url, linkedin, linkedin profile, linkedin profile url, linkedin bio, linkedin link, person linkedin url,
    profile url, profile, url, links, link, twitter, twitter url, x, x url, github, github url, facebook, instagram, AngelList, angellist,
    crunchbase, personal website, blog`),
    /^website \d+ value$/,
  ],
  role: names(`job title, title, position, job titles, current job title, current position, organization title, role, job,
    function, Titel, Funktion, Position, Stelle, poste, fonction, intitulé du poste, cargo, puesto, posizione, ruolo, functie,
    functietitel, stanowisko, должность`),
  headline: names('headline, bio, about, description, summary, biography'),
  company: NAMES_OF_COMPANIES,
  company_website: [
    ...names(`company website, company domain, company domain name, company url, organization website, organization domain,
    website, website url, domain`),
    ...COLUMN_NAMES.website,
  ],
  location:
    names(`location, primary location, address 1 formatted, address, mailing address, person location, Standort,
    Wohnort, localisation, ubicación, localização, località, locatie, lokalizacja, местоположение`),
  city: names(
    'city, town, address 1 city, mailing city, contact city, Stadt, Ort, ville, ciudad, cidade, città, plaats, miasto, город',
  ),
  region: names(
    'state region, state, region, province, address 1 region, mailing state, Bundesland, région, provincia, estado',
  ),
  country:
    names(`country, country region, address 1 country, mailing country, contact country, country code, Land, pays, país,
    paese, kraj, страна`),
  tags: names(
    'tags, labels, tag, label, groups, group membership, categories, segments, lists, Schlagwörter, étiquettes, etiquetas',
  ),
  owner_email:
    names(`contact owner, owner email, owner, relationship owner, record owner, contact owner email, assigned to, assignee,
    Zuständiger Mitarbeiter, Kontaktinhaber, propriétaire du contact, propietario del contacto`),
  companies: names('companies'),
} satisfies Vocabulary<string>

export type PersonField = keyof typeof VOCABULARY

const personError = lazyValidator(NewPerson)

/** The columns of people. */
export const PERSON_COLUMNS: ColumnKind<PersonField> = {
  prefix: 'per',
  fields: Object.keys(VOCABULARY) as PersonField[],
  recognize: (header) => recognizeBy<PersonField>(VOCABULARY, header),
  exportColumns: ['id', 'name', 'emails', 'phones', 'companies', 'updated_at'],
  formatted: {},
  fieldError: (field, value) => personError({ name: 'x', [field]: value }),
}
