//! Tests of uniforms by name.

use super::*;

fn member(name: &str, offset: u32, ty: &str) -> Member {
    Member {
        name: name.into(),
        offset,
        ty: ty.into(),
        size: 0,
        array_stride: 16,
        inner_strides: Vec::new(),
        matrix_stride: 16,
        row_major: false,
        members: Vec::new(),
    }
}

fn block(members: Vec<Member>) -> Block {
    Block::new("all", Some((0, 0)), &BlockInfo { name: "B".into(), size: 128, members })
}

fn bytes(members: Vec<Member>, name: &str, value: &str) -> Result<[u8; 128]> {
    let (mut bytes, mut used) = ([0; 128], [false]);
    fill(&block(members), &[(name, value)], &mut used, &mut bytes)?;
    assert!(used[0], "{name}");
    Ok(bytes)
}

fn written(members: Vec<Member>, name: &str, value: &str) -> Result<Vec<f32>> {
    let bytes = bytes(members, name, value)?;
    Ok(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

fn nested() -> Vec<Member> {
    let inner = Member { members: vec![member("b", 8, "vec3")], ..member("s", 16, "S") };
    let many = Member { ty: "S[2][2]".into(), array_stride: 32, inner_strides: vec![16], ..inner.clone() };
    vec![inner, Member { name: "many".into(), offset: 64, ..many }]
}

#[test]
fn values_land_where_the_layout_says() {
    let all = || vec![member("a", 4, "vec2"), member("list", 16, "float[3]"), member("m", 64, "mat2")];
    assert_eq!(written(all(), "a", "1,2").unwrap()[1..3], [1.0, 2.0]);
    let list = written(all(), "list", "1, 2, 3").unwrap();
    assert_eq!([list[4], list[8], list[12]], [1.0, 2.0, 3.0]);
    assert_eq!(written(all(), "list[2]", "7").unwrap()[12], 7.0);
    let m = written(all(), "m", "1,2,3,4").unwrap();
    assert_eq!([m[16], m[17], m[20], m[21]], [1.0, 2.0, 3.0, 4.0]);
    let rows = Member { row_major: true, ..member("m", 64, "mat2") };
    let m = written(vec![rows], "m", "1,2,3,4").unwrap();
    assert_eq!([m[16], m[20], m[17], m[21]], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(written(all(), "m[1]", "5,6").unwrap()[20..22], [5.0, 6.0]);
    assert_eq!(written(all(), "m[1][1]", "5").unwrap()[21], 5.0);
    assert_eq!(written(all(), "a.y", "5").unwrap()[2], 5.0);
    assert_eq!(written(all(), "a[0]", "5").unwrap()[1], 5.0);
    assert_eq!(written(all(), "all.a", "1,2").unwrap()[1..3], [1.0, 2.0]);
    assert_eq!(written(nested(), "s.b", "#ff0080").unwrap()[6..9], [1.0, 0.0, 128.0 / 255.0]);
    // 64 + 1 * 32 + 1 * 16 + 8 = 120.
    assert_eq!(written(nested(), "many[1][1].b.x", "3").unwrap()[30], 3.0);
    let grid = Member { inner_strides: vec![4], ..member("g", 0, "float[2][2]") };
    let g = written(vec![grid.clone()], "g", "1,2,3,4").unwrap();
    assert_eq!([g[0], g[1], g[4], g[5]], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(written(vec![grid], "g[1]", "8,9").unwrap()[4..6], [8.0, 9.0]);
    assert_eq!(written(vec![member("child.x", 0, "float")], "child.x", "5").unwrap()[0], 5.0);
    // A member that naga wrapped has the variable's name; a wrapped structure is replaced by its members.
    let wrapper = Member { members: all(), ..member("", 32, "struct%1") };
    assert_eq!(written(vec![wrapper], "a", "1,2").unwrap()[9..11], [1.0, 2.0]);
    assert_eq!(written(vec![member("", 0, "vec2")], "all", "1,2").unwrap()[..2], [1.0, 2.0]);
}

#[test]
fn components_of_all_widths() {
    let value = |ty: &str, text: &str| bytes(vec![member("a", 1, ty)], "a", text).unwrap()[1..9].to_vec();
    assert_eq!(value("u16vec2", "1,0xffff")[..4], [1, 0, 0xff, 0xff]);
    assert_eq!(value("i8vec3", "-1,2,-128")[..3], [0xff, 2, 0x80]);
    assert_eq!(value("f16vec2", "1,-2")[..4], [0, 0x3c, 0, 0xc0]);
    assert_eq!(value("int64_t", "-2"), (-2i64).to_le_bytes());
    assert_eq!(value("double", "0.1"), 0.1f64.to_le_bytes());
    assert_eq!(value("uvec2", "true,7")[..8], [1, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!(value("bvec2", "1,false")[..8], [1, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn values_that_do_not_fit() {
    for (ty, value) in [
        ("vec2", "1"),
        ("vec2", "1,2,3"),
        ("int", "1.5"),
        ("uint", "-1"),
        ("float", "x"),
        ("vec2", "#ff0000"),
        ("uint8_t", "256"),
    ] {
        let error = written(vec![member("a", 0, ty)], "a", value).unwrap_err();
        assert!(error.to_string().contains("`a`"), "{error}");
    }
    for (path, why) in [
        ("s", "s.b="),
        ("many", "many[0].b="),
        ("many[0]", "many[0].b="),
        ("s.c", "there are: b"),
        ("many[2][0].b", "no [2] in 2 elements"),
        ("many[x][0].b", "`x` is not an index"),
        ("many[0", "`]` is missing"),
        ("s.b.w", "no [3] in 3 components"),
        ("s.b.q2", "no [3]"),
        ("s.b.xy", "`y` is not a part"),
        ("s.b.nope", "`.nope` is not a part"),
    ] {
        let error = written(nested(), path, "1,1,1").unwrap_err().to_string();
        assert!(error.contains(why), "{path}: {error}");
    }
}

#[test]
fn names_that_are_not_there() {
    let blocks = [block(vec![member("color", 0, "vec3"), member("lightPower", 16, "float")])];
    let error = |name: &str| check(&blocks, &[(name, "1")], |_, _| false).unwrap_err().to_string();
    for (name, near) in [("colour", "color"), ("Color", "color"), ("u_light_power", "lightPower")] {
        assert!(
            error(name).contains(&format!("did you mean `{near}`? there are: color, lightPower")),
            "{name}"
        );
    }
    assert!(!error("shininess").contains("did you mean"));
    let warnings = check(&blocks, &[("color.x", "1")], |_, _| false).unwrap();
    assert_eq!(warnings, ["the uniform `lightPower` gets no value: it is 0"]);
}

#[test]
fn arrays_without_values_are_one_warning() {
    let names = ["m[0][0].a", "lights[0].color", "lights[0].at", "lights[1].color"].map(String::from);
    let warnings = without_value(&names);
    let lights = "the 2 uniforms `lights[0].color` to `lights[1].color` get no value: they are 0";
    assert_eq!((warnings.len(), &*warnings[1]), (3, lights));
    assert_eq!(warnings[2], "the uniform `lights[0].at` gets no value: it is 0");
}

/// Each of these takes minutes if all members are visited, or if each name is compared with all others.
#[test]
fn lists_of_many_members_end() {
    let mut deep = member("/*image*/", 0, "float");
    for _ in 0..12 {
        deep = Member { members: vec![deep], ..member("s", 0, "S[8]") };
    }
    assert!(leaves(&block(vec![deep])).is_empty());
    let names: Vec<String> = (0..300_000u32)
        .map(|i| (0..7).map(|digit| char::from(b'a' + (i >> (3 * digit) & 7) as u8)).collect())
        .collect();
    assert_eq!(without_value(&names).len(), names.len());
}

#[test]
fn what_there_is() {
    let all: Vec<(String, usize, String)> =
        leaves(&block(nested())).into_iter().map(|l| (l.name, l.offset, l.ty)).collect();
    let leaf = |name: &str, offset| (name.to_owned(), offset, "vec3".to_owned());
    let many = [("many[0][0].b", 72), ("many[0][1].b", 88), ("many[1][0].b", 104), ("many[1][1].b", 120)];
    let mut expected = vec![leaf("s.b", 24)];
    expected.extend(many.map(|(name, at)| leaf(name, at)));
    assert_eq!(all, expected);
    let block = block(vec![member("a", 0, "vec2")]);
    let bytes: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(show(&block, &leaves(&block)[0], &bytes).unwrap(), "0.5, -2");
}
