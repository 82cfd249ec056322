/** Which file of class-validator has which of its decorators. Written by `npm run decorators` (scripts/write-decorator-files.mjs). */

/** The version that the table is about. */
export const TABLE_VERSION = '0.15.1';
/** The size of the file that exports all of the others, in bytes: an installation with changed files differs. */
export const TABLE_SIZE = 8383;
/** A line for each file, in the order of class-validator: its path in `cjs/decorator` without the ending, and the names of its exports. */
export const DECORATOR_FILES = `
common/Allow Allow
common/IsDefined IS_DEFINED isDefined IsDefined
common/IsOptional IS_OPTIONAL IsOptional
common/Validate ValidatorConstraint Validate
common/ValidateBy buildMessage ValidateBy
common/ValidateIf ValidateIf
common/ValidateNested ValidateNested
common/ValidatePromise ValidatePromise
common/IsLatLong IS_LATLONG isLatLong IsLatLong
common/IsLatitude IS_LATITUDE isLatitude IsLatitude
common/IsLongitude IS_LONGITUDE isLongitude IsLongitude
common/Equals EQUALS equals Equals
common/NotEquals NOT_EQUALS notEquals NotEquals
common/IsEmpty IS_EMPTY isEmpty IsEmpty
common/IsNotEmpty IS_NOT_EMPTY isNotEmpty IsNotEmpty
common/IsIn IS_IN isIn IsIn
common/IsNotIn IS_NOT_IN isNotIn IsNotIn
number/IsDivisibleBy IS_DIVISIBLE_BY isDivisibleBy IsDivisibleBy
number/IsPositive IS_POSITIVE isPositive IsPositive
number/IsNegative IS_NEGATIVE isNegative IsNegative
number/Max MAX max Max
number/Min MIN min Min
date/MinDate MIN_DATE minDate MinDate
date/MaxDate MAX_DATE maxDate MaxDate
string/Contains CONTAINS contains Contains
string/NotContains NOT_CONTAINS notContains NotContains
string/IsAlpha IS_ALPHA isAlpha IsAlpha
string/IsAlphanumeric IS_ALPHANUMERIC isAlphanumeric IsAlphanumeric
string/IsDecimal IS_DECIMAL isDecimal IsDecimal
string/IsAscii IS_ASCII isAscii IsAscii
string/IsBase64 IS_BASE64 isBase64 IsBase64
string/IsByteLength IS_BYTE_LENGTH isByteLength IsByteLength
string/IsCreditCard IS_CREDIT_CARD isCreditCard IsCreditCard
string/IsCurrency IS_CURRENCY isCurrency IsCurrency
string/IsEmail IS_EMAIL isEmail IsEmail
string/IsFQDN IS_FQDN isFQDN IsFQDN
string/IsFullWidth IS_FULL_WIDTH isFullWidth IsFullWidth
string/IsHalfWidth IS_HALF_WIDTH isHalfWidth IsHalfWidth
string/IsVariableWidth IS_VARIABLE_WIDTH isVariableWidth IsVariableWidth
string/IsHexColor IS_HEX_COLOR isHexColor IsHexColor
string/IsHexadecimal IS_HEXADECIMAL isHexadecimal IsHexadecimal
string/IsMacAddress IS_MAC_ADDRESS isMACAddress IsMACAddress
string/IsIP IS_IP isIP IsIP
string/IsPort IS_PORT isPort IsPort
string/IsISBN IS_ISBN isISBN IsISBN
string/IsISIN IS_ISIN isISIN IsISIN
string/IsISO8601 IS_ISO8601 isISO8601 IsISO8601
string/IsJSON IS_JSON isJSON IsJSON
string/IsJWT IS_JWT isJWT IsJWT
string/IsLowercase IS_LOWERCASE isLowercase IsLowercase
string/IsMobilePhone IS_MOBILE_PHONE isMobilePhone IsMobilePhone
string/IsISO31661Alpha2 IS_ISO31661_ALPHA_2 isISO31661Alpha2 IsISO31661Alpha2
string/IsISO31661Alpha3 IS_ISO31661_ALPHA_3 isISO31661Alpha3 IsISO31661Alpha3
string/IsISO31661Numeric IS_ISO31661_NUMERIC isISO31661Numeric IsISO31661Numeric
string/IsMongoId IS_MONGO_ID isMongoId IsMongoId
string/IsMultibyte IS_MULTIBYTE isMultibyte IsMultibyte
string/IsSurrogatePair IS_SURROGATE_PAIR isSurrogatePair IsSurrogatePair
string/IsUrl IS_URL isURL IsUrl
string/IsUUID IS_UUID isUUID IsUUID
string/IsFirebasePushId IS_FIREBASE_PUSH_ID isFirebasePushId IsFirebasePushId
string/IsUppercase IS_UPPERCASE isUppercase IsUppercase
string/Length IS_LENGTH length Length
string/MaxLength MAX_LENGTH maxLength MaxLength
string/MinLength MIN_LENGTH minLength MinLength
string/Matches MATCHES matches Matches
string/IsPhoneNumber IS_PHONE_NUMBER isPhoneNumber IsPhoneNumber
string/IsMilitaryTime IS_MILITARY_TIME isMilitaryTime IsMilitaryTime
string/IsHash IS_HASH isHash IsHash
string/IsISSN IS_ISSN isISSN IsISSN
string/IsDateString IS_DATE_STRING isDateString IsDateString
string/IsBooleanString IS_BOOLEAN_STRING isBooleanString IsBooleanString
string/IsNumberString IS_NUMBER_STRING isNumberString IsNumberString
string/IsBase32 IS_BASE32 isBase32 IsBase32
string/IsBIC IS_BIC isBIC IsBIC
string/IsBtcAddress IS_BTC_ADDRESS isBtcAddress IsBtcAddress
string/IsDataURI IS_DATA_URI isDataURI IsDataURI
string/IsEAN IS_EAN isEAN IsEAN
string/IsEthereumAddress IS_ETHEREUM_ADDRESS isEthereumAddress IsEthereumAddress
string/IsHSL IS_HSL isHSL IsHSL
string/IsIBAN IS_IBAN isIBAN IsIBAN
string/IsIdentityCard IS_IDENTITY_CARD isIdentityCard IsIdentityCard
string/IsISRC IS_ISRC isISRC IsISRC
string/IsLocale IS_LOCALE isLocale IsLocale
string/IsMagnetURI IS_MAGNET_URI isMagnetURI IsMagnetURI
string/IsMimeType IS_MIME_TYPE isMimeType IsMimeType
string/IsOctal IS_OCTAL isOctal IsOctal
string/IsPassportNumber IS_PASSPORT_NUMBER isPassportNumber IsPassportNumber
string/IsPostalCode IS_POSTAL_CODE isPostalCode IsPostalCode
string/IsRFC3339 IS_RFC_3339 isRFC3339 IsRFC3339
string/IsRgbColor IS_RGB_COLOR isRgbColor IsRgbColor
string/IsSemVer IS_SEM_VER isSemVer IsSemVer
string/IsStrongPassword IS_STRONG_PASSWORD isStrongPassword IsStrongPassword
string/IsTimeZone IS_TIMEZONE isTimeZone IsTimeZone
string/IsBase58 IS_BASE58 isBase58 IsBase58
string/is-tax-id IS_TAX_ID isTaxId IsTaxId
string/is-iso4217-currency-code IS_ISO4217_CURRENCY_CODE isISO4217CurrencyCode IsISO4217CurrencyCode
string/isISO6391 IS_ISO6391 isISO6391 IsISO6391
typechecker/IsBoolean IS_BOOLEAN isBoolean IsBoolean
typechecker/IsDate IS_DATE isDate IsDate
typechecker/IsNumber IS_NUMBER isNumber IsNumber
typechecker/IsEnum IS_ENUM isEnum IsEnum
typechecker/IsInt IS_INT isInt IsInt
typechecker/IsString IS_STRING isString IsString
typechecker/IsArray IS_ARRAY isArray IsArray
typechecker/IsObject IS_OBJECT isObject IsObject
array/ArrayContains ARRAY_CONTAINS arrayContains ArrayContains
array/ArrayNotContains ARRAY_NOT_CONTAINS arrayNotContains ArrayNotContains
array/ArrayNotEmpty ARRAY_NOT_EMPTY arrayNotEmpty ArrayNotEmpty
array/ArrayMinSize ARRAY_MIN_SIZE arrayMinSize ArrayMinSize
array/ArrayMaxSize ARRAY_MAX_SIZE arrayMaxSize ArrayMaxSize
array/ArrayUnique ARRAY_UNIQUE arrayUnique ArrayUnique
object/IsNotEmptyObject IS_NOT_EMPTY_OBJECT isNotEmptyObject IsNotEmptyObject
object/IsInstance IS_INSTANCE isInstance IsInstance
`;
