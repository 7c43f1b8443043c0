# many.sh KIND N: a kernel with N of something.
kind=$1
count=$2

# Pointers %NAME of a tile of ROWS x COLUMNS elements at argument %FROM, rows 1024 elements apart.
pointers() { # NAME FROM ROWS COLUMNS
  cat <<END
  %$1_r = tile.arange : tensor<$3xi32>
  %$1_c = tile.arange : tensor<$4xi32>
  %$1_pitch = arith.constant dense<1024> : tensor<$3x1xi32>
  %$1_rs = tile.expand_dims %$1_r axis 1 : tensor<$3xi32> -> tensor<$3x1xi32>
  %$1_down = arith.muli %$1_rs, %$1_pitch : tensor<$3x1xi32>
  %$1_downs = tile.broadcast %$1_down : tensor<$3x1xi32> -> tensor<$3x$4xi32>
  %$1_cs = tile.expand_dims %$1_c axis 0 : tensor<$4xi32> -> tensor<1x$4xi32>
  %$1_across = tile.broadcast %$1_cs : tensor<1x$4xi32> -> tensor<$3x$4xi32>
  %$1_offs = arith.addi %$1_downs, %$1_across : tensor<$3x$4xi32>
  %$1_base = tile.splat %$2 : !tile.ptr<f16> -> tensor<$3x$4x!tile.ptr<f16>>
  %$1 = tile.addptr %$1_base, %$1_offs : tensor<$3x$4x!tile.ptr<f16>>, tensor<$3x$4xi32>
END
}

# A loop over k that carries a sum, pointers, and N numbers more.
loop() { # NUMBER CARRIED
  names="" types="" yields="" body=""
  for i in $(seq 1 "$2"); do
    names="$names, %n$1_$i = %c1"
    types="$types, i32"
    body="$body    %m$1_$i = arith.addi %n$1_$i, %c1 : i32
"
    yields="$yields, %m$1_$i"
  done
  echo "  %acc$1:$((3 + $2)) = scf.for %k$1 = %c0 to %steps step %c1 iter_args(%sum$1 = %zeros, %pa$1 = %a0, %pb$1 = %b0$names) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>$types) : i32 {"
  cat <<END
    %x$1 = tile.load %pa$1 : tensor<64x32x!tile.ptr<f16>>
    %y$1 = tile.load %pb$1 : tensor<32x64x!tile.ptr<f16>>
    %d$1 = tile.dot %x$1, %y$1, %sum$1 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %qa$1 = tile.addptr %pa$1, %onwards_a : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %qb$1 = tile.addptr %pb$1, %onwards_b : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
END
  printf %s "$body"
  echo "    scf.yield %d$1, %qa$1, %qb$1$yields : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>$types"
  echo "  }"
}

start() {
  echo "tile.func @$kind(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %steps: i32) {"
  cat <<END
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %onwards_a = arith.constant dense<32> : tensor<64x32xi32>
  %onwards_b = arith.constant dense<32768> : tensor<32x64xi32>
END
  pointers a0 a 64 32
  pointers b0 b 32 64
  pointers c0s c 64 64
}

case $kind in
comparisons)
  echo "tile.func @comparisons(%p: !tile.ptr<i1>) {"
  echo "  %lanes = tile.arange : tensor<64xi32>"
  echo "  %ps = tile.splat %p : !tile.ptr<i1> -> tensor<64x!tile.ptr<i1>>"
  for i in $(seq 1 "$count"); do
    echo "  %end$i = arith.constant dense<$((64 + i))> : tensor<64xi32>"
    echo "  %in$i = arith.cmpi slt, %lanes, %end$i : tensor<64xi32>"
    echo "  tile.store %ps, %in$i : tensor<64x!tile.ptr<i1>>"
  done
  ;;
loops)
  start
  for n in $(seq 1 "$count"); do
    loop "$n" 0
    echo "  %h$n = arith.truncf %acc$n#0 : tensor<64x64xf32> to tensor<64x64xf16>"
    echo "  tile.store %c0s, %h$n : tensor<64x64x!tile.ptr<f16>>"
  done
  ;;
carried)
  start
  loop 1 "$count"
  echo "  %h = arith.truncf %acc1#0 : tensor<64x64xf32> to tensor<64x64xf16>"
  echo "  tile.store %c0s, %h : tensor<64x64x!tile.ptr<f16>>"
  for i in $(seq 3 $((2 + count))); do echo "  tile.print \"n\" %acc1#$i : i32"; done
  ;;
stores)
  start
  loop 1 0
  echo "  %h0 = arith.truncf %acc1#0 : tensor<64x64xf32> to tensor<64x64xf16>"
  for i in $(seq 1 "$count"); do
    echo "  %h$i = arith.addf %h$((i - 1)), %h$((i - 1)) : tensor<64x64xf16>"
  done
  for i in $(seq 1 "$count"); do echo "  tile.store %c0s, %h$count : tensor<64x64x!tile.ptr<f16>>"; done
  ;;
address)
  start
  echo "  %wide = tile.arange : tensor<64xi32>"
  loop 1 0
  echo "  %i0 = tile.arange : tensor<64xi32>"
  for i in $(seq 1 "$count"); do echo "  %i$i = arith.xori %i$((i - 1)), %wide : tensor<64xi32>"; done
  cat <<END
  %bases = tile.splat %b : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %row_p = tile.addptr %bases, %i$count : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %row = tile.load %row_p : tensor<64x!tile.ptr<f16>>
  %out = tile.splat %c : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  tile.store %out, %row : tensor<64x!tile.ptr<f16>>
END
  ;;
dots)
  start
  loop 1 0 | sed "s/scf.yield %d1,/scf.yield %e$count,/; s/%d1 =/%e1 =/" | awk -v n="$count" '
    /%qa1 =/ {
      for (i = 2; i <= n; ++i)
        print "    %e" i " = tile.dot %x1, %y1, %e" i - 1 " : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>"
    }
    { print }'
  echo "  %h = arith.truncf %acc1#0 : tensor<64x64xf32> to tensor<64x64xf16>"
  echo "  tile.store %c0s, %h : tensor<64x64x!tile.ptr<f16>>"
  ;;
boxes)
  echo "tile.func @boxes(%a: !tile.ptr<f16>, %c: !tile.ptr<f16>, %n: i32) attributes {tile.num_warps = 4 : i32} {"
  cat <<END
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%n, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%n, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %pid = tile.program_id x
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zeros) -> tensor<64x64xf32> : i32 {
    %x = tile.desc_load %da[%pid, %k] : !tile.desc<64x64xf16>
    %y = tile.desc_load %da[%k, %pid] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
END
  for i in $(seq 1 "$count"); do
    echo "  %at$i = arith.constant $((64 * i)) : i32"
    echo "  tile.desc_store %dc[%pid, %at$i], %h : !tile.desc<64x64xf16>"
  done
  ;;
channels)
  echo "tile.func @channels(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %out: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32} {"
  cat <<END
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%n, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x16xf16>
  %db = tile.make_desc %b, [%n, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
  %pid = tile.program_id x
  %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s0 = %zeros) -> tensor<64x64xf32> : i32 {
END
  for i in $(seq 1 "$count"); do
    cat <<END
    %at$i = arith.constant $((64 * i)) : i32
    %x$i = tile.desc_load %da[%at$i, %k] : !tile.desc<64x16xf16>
    %y$i = tile.desc_load %db[%k, %at$i] : !tile.desc<16x64xf16>
    %d$i = tile.dot %x$i, %y$i, %zeros : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
    %s$i = arith.addf %s$((i - 1)), %d$i : tensor<64x64xf32>
END
  done
  cat <<END
    scf.yield %s$count : tensor<64x64xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %places = tile.arange : tensor<64xi32>
  %base = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %base, %places : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
END
  ;;
esac
echo "  tile.return"
echo "}"
