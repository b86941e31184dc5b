import {
  ICredentialsHelper,
  type ICredentialDataDecryptedObject,
  type ICredentials,
  type IHttpRequestOptions,
  type INodeCredentialsDetails,
  type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** Gives every node the same decrypted credential data, by type. */
export class TestCredentials extends ICredentialsHelper {
  constructor(private readonly data: Record<string, ICredentialDataDecryptedObject>) {
    super();
  }

  override async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _details: INodeCredentialsDetails,
    type: string,
  ): Promise<ICredentialDataDecryptedObject> {
    return this.data[type] ?? {};
  }

  override async authenticate(_data: ICredentialDataDecryptedObject, _type: string, options: unknown) {
    return options as IHttpRequestOptions;
  }

  override async getCredentials(): Promise<ICredentials> {
    throw new Error('Not used by these nodes');
  }

  override getParentTypes() {
    return [];
  }

  override isCredentialUsableByNode() {
    return true;
  }

  override async preAuthentication() {
    return undefined;
  }

  override async runPreAuthentication() {
    return undefined;
  }

  override async updateCredentials() {
    return undefined;
  }

  override async updateCredentialsOauthTokenData() {
    return undefined;
  }

  override getCredentialsProperties() {
    return [];
  }
}
