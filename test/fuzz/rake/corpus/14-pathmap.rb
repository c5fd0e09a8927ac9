RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["[\"foo.c/\", \"a/b/c.txt\", \"\", \".\", \"/\", \"//x\", \"\\xFF.c\", \".hid\", \"a.\", \"n\\nl.c\"].each { |path| [\"%X\", \"%n\", \"%d\", \"%2d\", \"%-1d\", \"%x\", \"%f\", \"%{a,b}p\", \"%{.*,*}x\", \"%%%s\", \"%q\"].each { |spec| Fuzz.try(\"\#{path.inspect} \#{spec}\") { path.pathmap(spec) { |one| one.upcase } } } }"],
    ["Fuzz.try(\"symbol\") { \"a\".pathmap(:x) }; Fuzz.try(\"nil\") { \"a\".pathmap(nil) }; Fuzz.try(\"block\") { \"a.b\".pathmap(\"%{a,*}n\") }"],
    ["[\"x.c\", \"x\", \".\", \"..\", \".x\", \"a.b/c\", \"\\xFF.c\"].each { |path| [\"\", \".o\", \"o\", \"\\xFF\", \"n\\n\"].each { |ext| Fuzz.try(\"ext\") { path.ext(ext) } } }"],
    ["task(:default)"],
  ]
)
