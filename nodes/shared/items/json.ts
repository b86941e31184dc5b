import type { IDataObject } from 'n8n-workflow';

/** Our documents are plain data, as n8n's `IDataObject` is; only its type cannot say so of an interface. */
export const asJson = (document: object): IDataObject => document as unknown as IDataObject;
