/** A UUID in any case, but the one of zeros only, which stands for none. For schemas and expressions. */
export const uuidPattern = "^(?!0{8}(-0{4}){3}-0{12}$)[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

export const isUuid = (text: string): boolean => new RegExp(uuidPattern).test(text);
